public import Foundation
internal import Locking
internal import MusterKit

extension GamingServices {
  /// Takes a deep link, from wherever the system hands the game one. Observers are told of it as
  /// soon as a player is signed in.
  ///
  /// - Returns: false for a link that does not count; see `GamingPayload`.
  @discardableResult
  public static func open(_ url: URL) -> Bool {
    guard let payload = GamingPayload(url: url) else { return false }
    links.take(payload)
    return true
  }

  static let links = DeepLinks()
}

/// The links that nobody was told of yet, and who is to be told.
@MainActor
final class DeepLinks {
  private struct Observer {
    weak var object: GamingPayloadObserver?
  }

  /// Links that wait until a player is signed in. Past it the oldest is dropped: a person opens one
  /// link at a time, and the newest is what the person wants.
  static let waitingMax = 8

  private var observers: [Observer] = []
  private var waiting: [GamingPayload] = []
  private var signIn: Task<Void, Never>?

  func add(_ observer: GamingPayloadObserver) {
    observers.removeAll { $0.object == nil }
    observers.append(Observer(object: observer))
  }

  func take(_ payload: GamingPayload) {
    waiting.append(payload)
    if waiting.count > Self.waitingMax { waiting.removeFirst() }
    followSignIn()
  }

  /// Another client is used from now on.
  func clientChanged() {
    signIn?.cancel()
    signIn = nil
    followSignIn()
  }

  /// Tells what waits, now or once a player is signed in.
  private func followSignIn() {
    guard !waiting.isEmpty, signIn == nil, let client = GamingServices.client else { return }
    if client.session?.player != nil { return tellWaiting(client) }
    let states = client.states
    signIn = Task {
      for await _ in states where client.session?.player != nil {
        if Task.isCancelled { return }
        signIn = nil
        return tellWaiting(client)
      }
    }
  }

  private func tellWaiting(_ client: any GamingServicesClient) {
    let links = waiting
    waiting = []
    for link in links {
      if case .gamingContext(let token) = link.subjects.first { Self.load(token, client) }
      for observer in observers { observer.object?.tell(link) }
    }
  }

  /// Makes a link's context current, with size 0 until the server has answered. Of the context that
  /// the player is in, the server is not asked; what the game has set in its place is over.
  nonisolated static func load(_ token: String, _ client: any GamingServicesClient) {
    guard let id = ContextID(token), let context = GamingContext(token: token, size: 0) else {
      return
    }
    if let linked = ContextState.shared.withLock({ $0.linked }) {
      // It is being loaded for another observer.
      if linked.identifier == token { return }
    } else if client.currentContext?.context == id {
      return ContextState.entered(client)
    }
    guard ContextState.link(context, client) else { return }
    Task { @MainActor in
      var operation = SwitchContext()
      operation.context = id
      // Where it fails, the current context is what it was; the game sees that in `current`.
      let isEntered = (try? await client.call(operation, deadline: nil)) != nil
      ContextState.linked(context, isEntered: isEntered, client)
    }
  }
}
