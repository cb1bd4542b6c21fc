import Dialogs
import GameKitCompat
import MusterKit
import Operations
import Stack
import Testing

extension System {
  /// Boards and challenges by GameKit's interface, against real processes. Each test has a process
  /// of its own, because the library has one local player.
  @Suite struct ScoreCompat {
    @Test("4.1 4.2 4.3 boards, occurrences and entries by GameKit's interface")
    func boards() async {
      await #expect(processExitsWith: .success) { try await ScoreCompat.rank() }
    }

    @Test("6.1 6.6 6.7 6.8 challenges by GameKit's interface: composed, told, selected, completed")
    func challenges() async {
      await #expect(processExitsWith: .success) { try await ScoreCompat.challenge() }
    }

    @Test("4.5 5.1 5.2 5.3 5.4 6.1 6.2 6.3 6.4 6.5 6.6 6.9 achievements by GameKit's interface")
    func achievements() async {
      await #expect(processExitsWith: .success) { try await ScoreCompat.earn() }
    }

    @Test("6.1 6.6 a handler and a delegate are told once, over a gateway that is killed")
    func once() async {
      await #expect(processExitsWith: .success) { try await ScoreCompat.challengeOverKill() }
    }
  }
}

extension System.ScoreCompat {
  @MainActor
  private static func withFriends(
    _ body: @MainActor (Stack, MusterClient, GKPlayer) async throws -> Void
  ) async throws {
    try await GameKitStage.run(
      Stack.Options(partitions: 2), friends: ["Ben"], prepare: declareBoards
    ) { stage in
      try await body(stage.stack, stage.ben, stage.players[0])
    }
  }

  private static func declareBoards(_ stack: Stack) async throws {
    let owner = MusterClient(stack.configuration)
    try await owner.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
    var define = DefineLeaderboard()
    (define.definition.board, define.definition.title) = ("laps", "Laps")
    (define.definition.format, define.definition.hasWindows) = (.seconds, true)
    _ = try await owner.call(define)
    (define.definition.board, define.definition.hasWindows) = ("hourly", false)
    var recurrence = Recurrence()
    recurrence.start = Int64(Date().timeIntervalSince1970) - 1800
    (recurrence.duration, recurrence.interval) = (3600, 7200)
    define.definition.recurrence = recurrence
    _ = try await owner.call(define)
    var set = DefineLeaderboardSet()
    (set.definition.set, set.definition.boards) = ("all", ["hourly", "laps"])
    _ = try await owner.call(set)
    await owner.close()
  }

  @MainActor
  private static func submit(_ value: Int64, _ client: MusterClient) async throws {
    var submit = SubmitScore()
    (submit.board, submit.value) = ("laps", value)
    _ = try await client.call(submit)
  }

  @MainActor
  static func rank() async throws {
    try await withFriends { _, ben, friend in
      let boards = try await GKLeaderboard.loadLeaderboards(IDs: ["laps", "none", "hourly"])
      #expect(boards.map(\.baseLeaderboardID) == ["laps", "hourly"])
      #expect(boards.map(\.type) == [.classic, .recurring])
      #expect(boards[1].duration == 3600)
      let between = boards[1].nextStartDate?.timeIntervalSince(try #require(boards[1].startDate))
      #expect(between == 7200)
      #expect(try await boards[1].loadPreviousOccurrence() == nil)
      let all = try await GKLeaderboard.loadLeaderboards(IDs: nil)
      #expect(all.map(\.title) == ["Laps", "Laps"] && all.map(\.type) == [.recurring, .classic])

      try await GKLeaderboard.submitScore(
        61, context: -1, player: GKLocalPlayer.local, leaderboardIDs: ["laps"])
      try await boards[1].submitScore(5, context: 0, player: GKLocalPlayer.local)
      try await submit(75, ben)
      let range = NSRange(location: 1, length: 10)
      let scopes: [GKLeaderboard.TimeScope] = [.allTime, .today, .week]
      for scope in scopes {
        for players in [GKLeaderboard.PlayerScope.global, .friendsOnly] {
          let (own, entries, total) = try await boards[0].loadEntries(
            for: players, timeScope: scope, range: range)
          #expect(entries.map(\.formattedScore) == ["1:15", "1:01"] && total == 2)
          #expect(entries.map(\.player) == [friend, GKLocalPlayer.local])
          #expect(own?.rank == 2 && own?.context == -1)
        }
        let (_, hourly, _) = try await boards[1].loadEntries(
          for: .global, timeScope: scope, range: range)
        #expect(hourly.map(\.score) == [5])
      }
      let listed = try await boards[0].loadEntries(for: [friend], timeScope: .allTime)
      #expect(listed.1.map(\.score) == [75] && listed.0?.score == 61)
      await #expect(throws: GKError.self) {
        try await GKLeaderboard.submitScore(
          99, context: 0, player: friend, leaderboardIDs: ["laps"])
      }
    }
  }

  @MainActor
  static func challenge() async throws {
    try await withFriends { _, ben, friend in
      let delegate = ChallengeDelegate()
      GKChallengeEventHandler.challengeEventHandler().delegate = delegate
      let score = GKScore(leaderboardIdentifier: "laps")
      score.value = 61
      try await score.report()
      #expect(await compose(score, to: friend) == "Laps: 1:01; true \(friend.playerID)")
      #expect(try await ben.call(ReceivedChallenges()).challenges.map(\.message) == ["Now you"])
      try await submit(80, ben)
      #expect(await delegate.next() == "remotely completed Now you")

      var issue = IssueScoreChallenge()
      (issue.board, issue.message) = ("laps", "Beat me")
      issue.receivers = [try #require(PlayerID(GKLocalPlayer.local.playerID))]
      _ = try await ben.call(issue)
      #expect(await delegate.next() == "received Beat me")
      let received = try await GKChallenge.loadReceivedChallenges()
      #expect(received.map(\.issuingPlayer.displayName) == ["Ben"])
      #expect(GameKit.selectChallengeBanner(of: received[0]))
      #expect(await delegate.next() == "selected Beat me")
      score.value = 90
      try await GKScore.report([score], withEligibleChallenges: [])
      #expect(try await GKChallenge.loadReceivedChallenges() == received)
      try await GKScore.report([score], withEligibleChallenges: received)
      #expect(await delegate.next() == "completed Beat me")
      #expect(try await GKChallenge.loadReceivedChallenges().isEmpty)
      #expect(delegate.banners == 3)
    }
  }

  @MainActor
  static func challengeOverKill() async throws {
    try await withFriends { stack, ben, friend in
      let delegate = ChallengeDelegate()
      GKChallengeEventHandler.challengeEventHandler().delegate = delegate
      let score = GKScore(leaderboardIdentifier: "laps")
      score.value = 61
      try await score.report()
      for round in 1...3 {
        // The player answers while there is no gateway.
        var starting: Task<Void, any Error>?
        let ended = await compose(score, to: friend) {
          try await stack.kill("gateway")
          starting = Task { try await stack.start("gateway") }
        }
        try await starting?.value
        #expect(ended == "Laps: 1:01; true \(friend.playerID)")
        let open = try await ben.call(ReceivedChallenges()).challenges
        #expect(open.map(\.message) == ["Now you"])
        try await submit(80 + Int64(round), ben)
        #expect(await delegate.next() == "remotely completed Now you")
      }
      #expect(delegate.banners == 3 && composed == 3)
    }
  }

  /// How often handlers of composers were called.
  @MainActor private static var composed = 0

  /// Presents a composer, whose player changes the words.
  @MainActor
  private static func compose(
    _ score: GKScore, to friend: GKPlayer, whileShown: @escaping () async throws -> Void = {}
  ) async -> String? {
    let presenter = ScriptedPresenter()
    var subject = ""
    presenter.challengeComposition = {
      subject = $0.subject
      try await whileShown()
      return .init(playerIDs: $0.selected, message: "Now you")
    }
    GameKit.presenter = presenter
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    let composer = score.challengeComposeController(withMessage: "Beat me", players: [friend]) {
      composer, isIssued, players in
      composer.dismiss(animated: true)
      composed += 1
      end.yield("\(subject); \(isIssued) \(players?.joined(separator: ",") ?? "")")
    }
    let screen = UIViewController()
    screen.present(composer, animated: true)
    return await ends.first()
  }
}

@MainActor
final class ChallengeDelegate: GKChallengeEventHandlerDelegate {
  private let told = ToldTexts()
  private(set) var banners = 0

  func next() async -> String? { await told.next() }

  private func tell(_ text: String, _ challenge: GKChallenge) {
    told.tell("\(text) \(challenge.message ?? "")")
  }

  private func ask() -> Bool {
    banners += 1
    return true
  }

  func localPlayerDidSelect(_ challenge: GKChallenge) { tell("selected", challenge) }
  func shouldShowBanner(forLocallyReceivedChallenge challenge: GKChallenge) -> Bool { ask() }
  func localPlayerDidReceive(_ challenge: GKChallenge) { tell("received", challenge) }
  func shouldShowBanner(forLocallyCompletedChallenge challenge: GKChallenge) -> Bool { ask() }
  func localPlayerDidComplete(_ challenge: GKChallenge) { tell("completed", challenge) }
  func shouldShowBanner(forRemotelyCompletedChallenge challenge: GKChallenge) -> Bool { ask() }
  func remotePlayerDidComplete(_ challenge: GKChallenge) { tell("remotely completed", challenge) }
}
