import Dialogs
import Foundation
import GameKitCompat
import MusterKit
import Operations
import Stack
import Testing

extension System.ScoreCompat {
  private static func declareAchievements(_ stack: Stack) async throws {
    try await stack.declare("open")
    let owner = MusterClient(stack.configuration)
    try await owner.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
    for (name, isHidden, isReplayable) in [
      ("first", false, false), ("again", false, true), ("secret", true, false),
    ] {
      var define = DefineAchievement()
      (define.definition.achievement, define.definition.title) = (name, name.uppercased())
      (define.definition.isHidden, define.definition.isReplayable) = (isHidden, isReplayable)
      define.definition.points = 10
      _ = try await owner.call(define)
    }
    await owner.close()
  }

  private static func earn(_ achievement: String, _ client: MusterClient) async throws {
    var report = ReportAchievements()
    report.reports = [AchievementReport()]
    (report.reports[0].achievement, report.reports[0].percentComplete) = (achievement, 100)
    _ = try await client.call(report)
  }

  @MainActor
  static func earn() async throws {
    try await GameKitStage.run(
      Stack.Options(partitions: 2), friends: ["Ben", "Cleo"], prepare: declareAchievements
    ) { stage in
      let delegate = ChallengeDelegate()
      GKChallengeEventHandler.challengeEventHandler().delegate = delegate
      let first = try await progress()
      try await earn("first", stage.cleo)
      try await select(first, stage)

      // The player approves whom to challenge; who has earned it gets none.
      let composed = await compose(first, stage)
      #expect(composed == "FIRST: \(stage.players[0].playerID)")
      let pending = try await stage.ben.call(ReceivedChallenges()).challenges
      #expect(pending.map(\.message) == ["Now you"] && pending.map(\.state) == [.pending])
      #expect(try await stage.cleo.call(ReceivedChallenges()).challenges.isEmpty)
      try await earn("first", stage.ben)
      #expect(await delegate.next() == "remotely completed Now you")

      try await earn("again", stage.ben)
      try await answer(stage, delegate)
      try await GKAchievement.resetAchievements()
      #expect(try await GKAchievement.loadAchievements().isEmpty)
      try await expectLesser(stage)
    }
  }

  /// What is reported stays, all of it or nothing.
  @MainActor
  private static func progress() async throws -> GKAchievement {
    func known() async throws -> Set<String> {
      Set(try await GKAchievementDescription.loadAchievementDescriptions().map(\.identifier))
    }
    #expect(try await known() == ["first", "again"])
    let names = ["first", "secret", "again", "none"]
    let reports = names.map { GKAchievement(identifier: $0) }
    (reports[0].percentComplete, reports[1].percentComplete) = (60, 100)
    #expect(await gameKitError { try await GKAchievement.report(reports) } != nil)
    #expect(try await GKAchievement.loadAchievements().isEmpty)
    try await GKAchievement.report(Array(reports[..<2]))
    reports[0].percentComplete = 30
    try await reports[0].report()
    let loaded = try await GKAchievement.loadAchievements()
    #expect(loaded.first { $0.identifier == "first" }?.percentComplete == 60)
    #expect(loaded.filter(\.isCompleted).map(\.identifier) == ["secret"])
    #expect(try await known() == ["first", "again", "secret"])
    #expect(await gameKitError { _ = try await issue(reports[0], to: []) } != nil)
    let friends = try await GKLocalPlayer.local.loadFriends().map(\.playerID)
    #expect(await gameKitError { _ = try await issue(reports[0], to: friends) } != nil)
    reports[0].percentComplete = 100
    try await reports[0].report()
    return reports[0]
  }

  @MainActor
  private static func issue(_ achievement: GKAchievement, to players: [String]) async throws
    -> [String: GKError.Code]
  {
    try await withCheckedThrowingContinuation { continuation in
      achievement.issueChallenge(toPlayers: players, message: "Now you") { refusals, error in
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(
          returning: (refusals ?? [:]).compactMapValues { ($0 as? GKError)?.code })
      }
    }
  }

  /// Who can be challenged is selected, and the others are told of.
  @MainActor
  private static func select(_ first: GKAchievement, _ stage: GameKitStage) async throws {
    #expect(try await first.selectChallengeablePlayers(stage.players) == [stage.players[0]])
    let secret = GKAchievement(identifier: "secret")
    let ids = stage.players.map(\.playerID)
    #expect(try await secret.selectChallengeablePlayerIDs(ids).isEmpty)
    let (own, unknown) = (GKLocalPlayer.local.playerID, PlayerID(high: 1, low: 1).description)
    let refused = try await issue(first, to: [own, ids[1], unknown, "nobody"])
    #expect(Set(refused.keys) == [own, ids[1], unknown, "nobody"])
    #expect(refused[unknown] == .invalidPlayer && refused["nobody"] == .invalidPlayer)
  }

  @MainActor
  private static func compose(_ first: GKAchievement, _ stage: GameKitStage) async -> String? {
    let (presenter, told) = (ScriptedPresenter(), ToldTexts())
    var subject = ""
    presenter.challengeComposition = {
      subject = $0.subject
      return .init(playerIDs: $0.selected, message: "Now you")
    }
    GameKit.presenter = presenter
    let screen = UIViewController()
    let composer = first.challengeComposeController(
      withMessage: "Earn it", players: stage.players
    ) { composer, isIssued, players in
      composer.dismiss(animated: true)
      told.tell("\(subject): \(isIssued ? players?.joined(separator: ",") ?? "" : "none")")
    }
    screen.present(composer, animated: true)
    return await told.next()
  }

  /// A challenge says who issues it, to whom and when, until it is declined.
  @MainActor
  private static func answer(_ stage: GameKitStage, _ delegate: ChallengeDelegate) async throws {
    let player = stage.credential.player
    _ = try await stage.ben.issueChallenge(
      toEarn: "again", receivers: [player], message: "Earn it", lifetime: nil)
    #expect(await delegate.next() == "received Earn it")
    let received = try await GKChallenge.loadReceivedChallenges()
    let challenge = try #require(received.first as? GKAchievementChallenge)
    #expect(received.count == 1 && challenge.achievement?.identifier == "again")
    #expect(challenge.issuingPlayerID == stage.players[0].playerID)
    #expect(challenge.receivingPlayerID == player.description)
    #expect(challenge.state == .pending && challenge.completionDate == nil)
    #expect(abs(challenge.issueDate.timeIntervalSinceNow) < 60)
    challenge.decline()
    #expect(await stage.benHears.next(ChallengeDeclined.self)?.challenge.message == "Earn it")
    #expect(try await GKChallenge.loadReceivedChallenges().isEmpty)
    #expect(challenge.state == .declined && delegate.banners == 2)
  }

  /// Friends with a lesser score: who has an equal one is not lesser.
  @MainActor
  private static func expectLesser(_ stage: GameKitStage) async throws {
    try await GKLeaderboard.submitScore(
      61, context: 0, player: GKLocalPlayer.local, leaderboardIDs: ["open"])
    for (client, value) in [(stage.ben, 61), (stage.cleo, 60)] {
      var submit = SubmitScore()
      (submit.board, submit.value) = ("open", Int64(value))
      _ = try await client.call(submit)
    }
    let board = try #require(try await GKLeaderboard.loadLeaderboards(IDs: ["open"]).first)
    let (own, entries, _) = try await board.loadEntries(
      for: .friendsOnly, timeScope: .allTime, range: NSRange(location: 1, length: 100))
    let mine = try #require(own?.score)
    #expect(entries.filter { $0.score < mine }.map(\.player) == [stage.players[1]])
  }
}
