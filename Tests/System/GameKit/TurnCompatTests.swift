import Foundation
import GameKitCompat
import MusterKit
import Operations
import Stack
import Testing

extension System {
  /// Turn-based matches by GameKit's interface, against real processes. Each test has a process of
  /// its own, because the library has one local player.
  @Suite struct TurnCompat {
    @Test("1.9 turn-based matches: invitation, turns, exchanges, reminder, end, rematch, leaving")
    func matches() async {
      await #expect(processExitsWith: .success) { try await TurnCompat.play() }
    }

    @Test("1.9 2.8 a listener is told of each turn once, over killed processes")
    func once() async {
      await #expect(processExitsWith: .success) { try await TurnCompat.playOverKills() }
    }
  }
}

extension System.TurnCompat {
  /// A match of Anna and Ben, in which she has the first turn.
  @MainActor
  private static func start(_ stage: GameKitStage) async throws -> (
    match: GKTurnBasedMatch, ben: TurnGames, number: UInt32
  ) {
    let request = GKMatchRequest()
    request.recipients = [stage.players[0]]
    let match = try await GKTurnBasedMatch.find(for: request)
    #expect(match.participants.map(\.status) == [.active, .invited])
    #expect(match.currentParticipant?.player == GKLocalPlayer.local)
    let invitation = try #require(await stage.benHears.next(TurnGameInvitation.self))
    try await stage.ben.switchContext(to: invitation.context)
    let ben = stage.ben.turns(in: invitation.context)
    _ = try await ben.answer(invitation.number, accept: true)
    return (match, ben, invitation.number)
  }

  @MainActor
  private static func end(_ match: GKTurnBasedMatch, turn text: String) async throws {
    match.message = text
    try await match.endTurn(
      withNextParticipants: [], turnTimeout: GKTurnTimeoutDefault, match: Data(text.utf8))
  }

  private static func move(_ text: String, _ games: TurnGames, _ number: UInt32) async throws {
    let info = try await games.read(number).info
    let outcome = try await games.move(Array(text.utf8), in: info, state: Array(text.utf8))
    guard case .made = outcome else { throw MusterError(.conflict, "A stale move.") }
  }

  @MainActor
  static func play() async throws {
    try await GameKitStage.run(friends: ["Ben", "Cleo"]) { stage in
      let hearer = TurnHearer()
      GKLocalPlayer.local.register(hearer)
      let (match, ben, number) = try await start(stage)
      let old = try await GKTurnBasedMatch.load(withID: match.matchID)
      try await end(match, turn: "e4")
      // A stale move changes nothing, and brings the object up to date.
      #expect(await gameKitError { try await end(old, turn: "d4") } == .turnBasedInvalidState)
      #expect(old.matchData == Data("e4".utf8))
      #expect(await gameKitError { try await end(old, turn: "d4") } == .turnBasedInvalidTurn)
      try await move("e5", ben, number)
      #expect(await hearer.told.next() == "turn e5")
      let mine = try #require(hearer.match)
      #expect(mine == match && mine.matchData == Data("e5".utf8))
      try await talk(mine, ben, number, hearer, stage)
      try await end(mine, ben, number, hearer, stage)
      try await meet(stage)
      #expect(hearer.told.count == 8)
    }
  }

  /// Exchanges both ways, what comes of them, and a reminder.
  @MainActor
  private static func talk(
    _ match: GKTurnBasedMatch, _ ben: TurnGames, _ number: UInt32, _ hearer: TurnHearer,
    _ stage: GameKitStage
  ) async throws {
    let anna = stage.credential.player
    _ = try await ben.ask([anna], Array("a cow?".utf8), in: number)
    #expect(await hearer.told.next() == "asked a cow?")
    let asked = try #require(hearer.exchange)
    #expect(asked.sender.player == stage.players[0])
    try await asked.reply(withLocalizableMessageKey: "", arguments: [], data: Data("two".utf8))
    // Who has the turn brings it into the match.
    #expect(await hearer.told.next() == "replied two")
    let completed = try #require(hearer.match?.completedExchanges)
    #expect(completed.map(\.exchangeID) == [asked.exchangeID])
    let merging = try #require(hearer.match)
    try await merging.saveMergedMatch(Data("2 cows".utf8), withResolvedExchanges: completed)
    #expect(try await match.loadMatchData() == Data("2 cows".utf8))
    #expect(match.exchanges?.isEmpty == true)

    let other = match.participants[1]
    let sent = try await match.sendExchange(
      to: [other], data: Data("a hen?".utf8), localizableMessageKey: "", arguments: [],
      timeout: GKExchangeTimeoutDefault)
    let id = try #require(UInt32(sent.exchangeID))
    _ = try await ben.answerExchange(id, Array("no".utf8), in: number)
    #expect(await hearer.told.next() == "replied no")
    let taken = try await ben.ask([anna], Array("a pig?".utf8), in: number).exchange
    #expect(await hearer.told.next() == "asked a pig?")
    _ = try await ben.cancelExchange(taken, in: number)
    #expect(await hearer.told.next() == "taken back")
    try await ben.remind([anna], in: number)
    #expect(await hearer.told.next() == "turn e5")
  }

  /// The match ends with outcomes; Ben asks for the next one, and ends that.
  @MainActor
  private static func end(
    _ match: GKTurnBasedMatch, _ ben: TurnGames, _ number: UInt32, _ hearer: TurnHearer,
    _ stage: GameKitStage
  ) async throws {
    let long = Data(count: match.matchDataMaximumSize + 1)
    #expect(
      await gameKitError { try await match.endMatchInTurn(withMatch: long) }
        == .turnBasedMatchDataTooLarge)
    #expect(
      await gameKitError { try await match.endMatchInTurn(withMatch: Data()) }
        == .turnBasedInvalidParticipant)
    _ = try await match.loadMatchData()
    (match.participants[0].matchOutcome, match.participants[1].matchOutcome) = (.won, .lost)
    try await match.endMatchInTurn(withMatch: Data("mate".utf8))
    #expect(match.status == .ended && match.currentParticipant == nil)
    let ended = try await ben.read(number)
    #expect(ended.info.seats.map(\.outcome) == [.won, .lost])
    #expect(ended.state?.array == Array("mate".utf8))
    let next = try await ben.rematch(of: ended.info)
    #expect(await hearer.told.next() == "turn none")
    let rematch = try await match.rematch()
    #expect(rematch == hearer.match && rematch != match)
    _ = try await rematch.acceptInvite()
    #expect(rematch.participants.map(\.status) == [.active, .active])
    try await GKTurnBasedMatch.loadMatches().first?.participantQuitOutOfTurn(with: .quit)
    let quit = try await ben.read(next.number).info
    #expect(quit.seats.first { $0.player == stage.credential.player }?.outcome == .quit)
  }

  /// A match with whoever waits, which the local player leaves in turn.
  @MainActor
  private static func meet(_ stage: GameKitStage) async throws {
    var find = FindMatch()
    find.playerGroup = "turns-0"
    _ = try await stage.cleo.call(find)
    let match = try await GKTurnBasedMatch.find(for: GKMatchRequest())
    #expect(match.participants.compactMap(\.player?.displayName).sorted() == ["Anna", "Cleo"])
    let invitation = try #require(await stage.cleoHears.next(TurnGameInvitation.self))
    let games = stage.cleo.turns(in: invitation.context)
    _ = try await games.answer(invitation.number, accept: true)
    _ = try await match.loadMatchData()
    let others = match.participants.filter { $0.player != GKLocalPlayer.local }
    try await match.participantQuitInTurn(
      with: .lost, nextParticipants: others, turnTimeout: GKTurnTimeoutDefault,
      match: Data("left".utf8))
    let own = match.participants.first { $0.player == GKLocalPlayer.local }
    #expect(own?.matchOutcome == .lost && own?.status == .done)
    let view = try await games.read(invitation.number)
    #expect(view.state?.array == Array("left".utf8))
  }

  @MainActor
  static func playOverKills() async throws {
    try await GameKitStage.run(friends: ["Ben"], cutAfter: 3_300...4_500) { stage in
      let hearer = TurnHearer()
      GKLocalPlayer.local.register(hearer)
      let (match, ben, number) = try await start(stage)
      for round in 1...4 {
        try await stage.overKilledGateway { try await end(match, turn: "\(round)") }
        try await move("\(round)!", ben, number)
        #expect(await hearer.told.next() == "turn \(round)!")
        #expect(try await match.loadMatchData() == Data("\(round)!".utf8))
      }
      #expect(try await ben.moves(number).count == 8)
      GKLocalPlayer.local.unregisterListener(hearer)
      try await end(match, turn: "5")
      try await move("5!", ben, number)
      try await hearWithoutContexts(hearer, stage)
      #expect(hearer.told.count == 5)
    }
  }

  /// What comes while the match cannot be read, because its service is down, is told afterwards.
  @MainActor
  private static func hearWithoutContexts(_ hearer: TurnHearer, _ stage: GameKitStage) async throws
  {
    var configuration = stage.stack.configuration
    configuration.acknowledgement = .manual
    let witness = MusterClient(configuration)
    try await witness.signIn(stage.credential)
    let read = EventReader(witness)
    while await read.next(TurnPassed.self)?.moveCount != 10 {}
    await witness.close()
    configuration = stage.stack.configuration
    configuration.callDeadline = .milliseconds(300)
    let client = MusterClient(configuration)
    try await client.signIn(stage.credential)
    GameKit.configure(client: client)
    try await stage.stack.kill("context/1")
    GKLocalPlayer.local.register(hearer)
    for _ in 1...2 {
      let failed = await gameKitError { _ = try await GKTurnBasedMatch.loadMatches() }
      #expect(failed == .communicationsFailure)
    }
    #expect(hearer.told.count == 4)
    try await stage.stack.start("context/1")
    #expect(await hearer.told.next() == "turn 5!")
    await client.close()
  }
}
