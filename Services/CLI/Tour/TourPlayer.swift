import Locking
import MusterKit

/// A player of the tour: a client, and every event that its stream has brought so far.
final class TourPlayer: Sendable {
  let name: String
  let client: MusterClient
  let identifier: PlayerID
  private let heard = Locked(Heard())

  private struct Heard {
    var events: [PlayerEvent] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private init(name: String, client: MusterClient, identifier: PlayerID) {
    self.name = name
    self.client = client
    self.identifier = identifier
  }

  /// - Parameter token: the invite token of the link by which the player comes; nil for none.
  static func join(
    _ name: String, _ configuration: MusterConfiguration, claiming token: String? = nil
  ) async throws -> TourPlayer {
    let client = MusterClient(configuration)
    let credential = try await client.signUp(displayName: name)
    if let token {
      _ = try await client.signIn(credential, claiming: token)
    } else {
      try await client.signIn(credential)
    }
    let player = TourPlayer(name: name, client: client, identifier: credential.player)
    Task { for await event in client.events { player.hear(event) } }
    return player
  }

  private func hear(_ event: PlayerEvent) {
    let waiters = heard.withLock { heard in
      heard.events.append(event)
      defer { heard.waiters = [] }
      return heard.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for an event of a kind that `fits`, and returns it.
  func event<E: Event>(_ type: E.Type, where fits: @Sendable (E) -> Bool = { _ in true }) async -> E
  {
    while true {
      if let event = events(type).first(where: fits) { return event }
      await withCheckedContinuation { continuation in
        let isNew = heard.withLock { heard in
          if heard.events.contains(where: { $0.decode(type).map(fits) ?? false }) { return true }
          heard.waiters.append(continuation)
          return false
        }
        if isNew { continuation.resume() }
      }
    }
  }

  func events<E: Event>(_ type: E.Type) -> [E] {
    heard.withLock { $0.events.compactMap { $0.decode(type) } }
  }

  /// The sequence numbers heard, which must be 1, 2, 3 and so on.
  var sequences: [UInt64] { heard.withLock { $0.events.map(\.sequence) } }
}
