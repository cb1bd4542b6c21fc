import Foundation
import GameKitCompat
import MusterKit
import Operations
import Stack
import Testing

extension System.MatchCompat {
  @MainActor
  static func play() async throws {
    try await GameKitStage.run(friends: ["Ben", "Cleo"]) { stage in
      let (client, request) = (try await signIn(stage), GKMatchRequest())
      request.maxPlayers = .max
      #expect(request.minPlayers == 2 && request.maxPlayers == 16)
      request.maxPlayers = 1
      #expect(request.maxPlayers == 2)
      // Cleo waits for longest, but her mask leaves a part to nobody.
      (request.playerGroup, request.playerAttributes) = (7, 0xFFFF_0000)
      let same = try await ticket(stage.cleo, mask: 0xFF00_0000)
      let rest = try await ticket(stage.ben, mask: 0xFFFF)
      let match = try await GKMatchmaker.shared().findMatch(for: request)
      #expect(match.players.isEmpty && match.expectedPlayerCount == 1)
      let hearer = MatchHearer()
      match.delegate = hearer
      let other = MatchOther(try await stage.ben.match(of: rest, in: "7"))
      #expect(await hearer.changes.next() == "Ben connected")
      #expect(match.players == [stage.players[0]] && match.expectedPlayerCount == 0)
      #expect(other.match.players == [stage.credential.player])
      var cancel = CancelTicket()
      (cancel.ticket, cancel.playerGroup) = (same, "7")
      #expect(try await stage.cleo.call(cancel).state == .cancelled)

      try await exchange(100, match, hearer, other)
      // Who has left is not in the match, and the match is over.
      try await other.match.leave()
      #expect(await hearer.changes.next() == "Ben disconnected")
      #expect(match.players.isEmpty)
      match.disconnect()
      #expect(await gameKitError { try match.send(1...1) } == .matchNotConnected)

      let again = Task { try await other.match.rematch() }
      let rematch = try await match.rematch()
      rematch.delegate = hearer
      #expect(await hearer.changes.next() == "Ben connected")
      let otherAgain = MatchOther(try await again.value)
      try await exchange(3, rematch, hearer, otherAgain)
      rematch.disconnect()
      #expect(await otherAgain.next() == "ended")
      #expect(otherAgain.states.last == .left)
      #expect(hearer.changes.count == 3 && hearer.data.count == 105)
      await client.close()
    }
  }

  /// Signs the player in by the handler, which hears what is to be done first, and what has failed.
  @MainActor
  private static func signIn(_ stage: GameKitStage) async throws -> MusterClient {
    await stage.anna.close()
    let (told, screen) = (ToldTexts(), UIViewController())
    GKLocalPlayer.local.authenticateHandler = { shown, error in
      told.tell("\(shown === screen) \((error as? GKError).map { "\($0.failure)" } ?? "none")")
    }
    let wrong = Credential(
      player: stage.credential.player, device: stage.credential.device,
      secret: stage.credential.secret.map { ~$0 })
    let clients = (1...3).map { _ in MusterClient(stage.stack.configuration) }
    GameKit.configure(client: clients[0], credential: wrong)
    while await told.next() != "false invalidCredential" {}
    GameKit.configure(client: clients[1], signInScreen: screen)
    while await told.next() != "true none" {}
    let refused = await gameKitError {
      _ = try await GKMatchmaker.shared().findMatch(for: GKMatchRequest())
    }
    #expect(refused == .notAuthenticated && !GKLocalPlayer.local.isAuthenticated)
    GameKit.configure(client: clients[2], credential: stage.credential)
    while await told.next() != "false none" {}
    #expect(GKLocalPlayer.local.isAuthenticated)
    for client in clients.dropLast() { await client.close() }
    return clients[2]
  }

  @MainActor
  private static func ticket(_ client: MusterClient, mask: UInt32) async throws -> MatchTicketID {
    var find = FindMatch()
    (find.playerGroup, find.criteria.playerAttributes) = ("7", mask)
    return try await client.call(find).ticket
  }

  /// Numbers and long data go both ways, each once and in order.
  @MainActor
  private static func exchange(
    _ count: Int, _ match: GKMatch, _ hearer: MatchHearer, _ other: MatchOther
  ) async throws {
    let long = String(repeating: "a", count: 100_000)
    let texts = (1...count).map { "\($0)" } + [long]
    try match.send(1...count)
    try match.send(Data(long.utf8), to: match.players, dataMode: .reliable)
    #expect(await other.next(texts.count) == texts)
    try await other.send(1...count)
    try await other.match.sendReliable(Array(long.utf8))
    #expect(await hearer.data.next(texts.count) == texts)
    #expect(
      await gameKitError { try match.send(Data(), to: [GKLocalPlayer.local], dataMode: .reliable) }
        == .invalidParameter)
  }
}
