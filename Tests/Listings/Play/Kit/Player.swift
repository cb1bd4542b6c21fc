import MusterKit

/// A player of the stack around this process.
@MainActor public final class Player {
  public let client: MusterClient
  public let credential: Credential
  /// Events that nobody has asked for yet. The player's own consumer keeps them, because one that
  /// is made later gets none that the libraries have dealt with.
  private var events: [PlayerEvent] = []
  private var arrived = AsyncStream.makeStream(of: PlayerEvent.self)

  init(_ client: MusterClient, _ credential: Credential) {
    (self.client, self.credential) = (client, credential)
    Task { [arrived] in
      for await event in client.events { arrived.continuation.yield(event) }
      arrived.continuation.finish()
    }
  }

  public var identifier: PlayerID { credential.player }

  /// Waits for the next event of a kind; others stay for who asks for them.
  public func event<E: Event>(_ kind: E.Type) async throws -> E {
    if let place = events.firstIndex(where: { $0.kind == E.opcode }),
      let found = events.remove(at: place).decode(kind)
    {
      return found
    }
    for await event in arrived.stream {
      if let found = event.decode(kind) { return found }
      events.append(event)
    }
    throw PlayFailure("the client was closed before \(kind)")
  }

  /// Accepts who has asked to be friends.
  public func acceptFriend() async throws {
    var answer = AnswerFriend()
    answer.player = try await event(FriendInvitation.self).player
    answer.accept = true
    _ = try await client.call(answer)
  }

  public func befriend(_ other: Player) async throws {
    try await client.inviteFriends([other.identifier])
    try await other.acceptFriend()
    _ = try await event(FriendAccepted.self)
  }
}
