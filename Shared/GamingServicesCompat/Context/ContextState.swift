internal import Foundation
internal import Locking
internal import MusterKit

/// What `GamingContext.current` is made of: what the client knows, and what stands before or in for
/// it.
struct ContextState: Sendable {
  /// What the game has set, and the client's context at that time.
  private struct Choice {
    var context: GamingContext?
    var player: PlayerID?
    var known: ContextID?
  }

  static let shared = Locked(ContextState())

  /// A context whose deep link came, until it is loaded.
  private(set) var linked: GamingContext?
  private var choice: Choice?
  /// The context in which the game last ran, until it is known whether the player is still in it.
  private var before: KeptContext?
  private var file: URL?
  private var written: KeptContext?

  mutating func context(of client: (any GamingServicesClient)?) -> GamingContext? {
    if let linked { return linked }
    let player = client?.session?.player
    let info = client?.currentContext
    if let choice {
      if choice.player == player && choice.known == info?.context { return choice.context }
      self.choice = nil
    }
    if info != nil || (player != nil && player?.description != before?.player) { before = nil }
    return info.map { GamingContext($0) } ?? before?.context
  }

  static func set(_ context: GamingContext?) {
    let client = GamingServices.client
    shared.withLock { current in
      current.linked = nil
      current.before = nil
      current.choice = Choice(
        context: context, player: client?.session?.player, known: client?.currentContext?.context)
      current.keep(client)
    }
  }

  /// Whether the game has set another context, or none, in place of this one.
  static func isReplaced(_ context: ContextID, _ client: any GamingServicesClient) -> Bool {
    shared.withLock { state in
      let current = state.context(of: client)
      return state.linked == nil && state.choice != nil
        && current?.identifier != context.description
    }
  }

  /// A deep link has named a context, which is current until it is loaded.
  static func link(_ context: GamingContext) { shared.withLock { $0.linked = context } }

  /// The server has answered about a link's context.
  static func linked(
    _ context: GamingContext, isEntered: Bool, _ client: any GamingServicesClient
  ) {
    shared.withLock { state in
      if state.linked !== context { return }
      state.linked = nil
      if isEntered { state.choice = nil }
      state.keep(client)
    }
  }

  /// The player has entered a context by a dialog: what stood in for it is over.
  static func entered(_ client: any GamingServicesClient) {
    shared.withLock { state in
      state.linked = nil
      state.choice = nil
      state.keep(client)
    }
  }

  /// Another client is used from now on.
  mutating func begin(keptIn file: URL?) {
    self = ContextState()
    self.file = file
    before = file.flatMap { KeptContext(at: $0) }
    written = before
  }

  /// Writes down which context is current, for the next start. Where that fails, `current` is nil
  /// after it until the server has answered.
  mutating func keep(_ client: (any GamingServicesClient)?) {
    guard let file, linked == nil else { return }
    let player = client?.session?.player?.description ?? ""
    let kept = context(of: client).map { KeptContext($0, of: player) }
    if kept == written { return }
    written = kept
    if let kept { kept.write(to: file) } else { try? FileManager.default.removeItem(at: file) }
  }

  /// Keeps what is current, and drops the context of before as soon as the server has said in which
  /// one the player is. Ends with the client.
  static func follow(_ client: any GamingServicesClient) async {
    var asked: PlayerID?
    for await state in client.states {
      if Task.isCancelled { return }
      let player = client.session?.player
      if let player, player != asked, await isContextRead(client) {
        if Task.isCancelled { return }
        asked = player
        shared.withLock { $0.before = nil }
      }
      if player != nil || state == .signedOut && asked != nil {
        shared.withLock { $0.keep(client) }
      }
    }
  }

  /// Whether the client knows by now in which context the player is. It has asked the same when the
  /// session began, and its questions came first.
  private static func isContextRead(_ client: any GamingServicesClient) async -> Bool {
    guard shared.withLock({ $0.before != nil }) else { return true }
    do {
      guard let context = try await client.call(CurrentContext()).context else { return true }
      var operation = GetContext()
      operation.context = context
      _ = try await client.call(operation)
      return true
    } catch {
      return error.failureCode == .notFound
    }
  }
}
