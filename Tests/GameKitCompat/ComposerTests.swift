import Dialogs
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Composers of challenges", .serialized)
  struct ComposerTests {
    /// What a composer's handler got.
    struct Ended: Equatable {
      var isIssued: Bool
      var players: [String]?
    }

    /// Waits for handlers, and counts how often they were called.
    @MainActor
    final class Ending {
      private let ends = AsyncStream.makeStream(of: Ended.self)
      private(set) var count = 0

      func next() async -> Ended? {
        var iterator = ends.stream.makeAsyncIterator()
        return await iterator.next()
      }

      func note(_ isIssued: Bool, _ players: [String]?) {
        count += 1
        ends.continuation.yield(Ended(isIssued: isIssued, players: players))
      }

      func ids(_ composer: UIViewController, _ isIssued: Bool, _ players: [String]?) {
        note(isIssued, players)
      }

      func players(_ composer: UIViewController, _ isIssued: Bool, _ players: [GKPlayer]?) {
        note(isIssued, players?.map(\.displayName))
      }
    }

    let presenter = ScriptedPresenter()
    let ending = Ending()
    let screen = UIViewController()
    static let friend = FakeClient.friend.description
    static let stranger = FakeClient.stranger.description

    init() {
      GameKit.presenter = presenter
      GameKit.dialogTimeout = .seconds(600)
    }

    private func client(refusing: [PlayerID] = []) -> FakeClient {
      GameKitTests.client { answers in
        let outcomes = [FakeClient.friend, FakeClient.stranger].map { player in
          var outcome = ChallengeOutcome()
          outcome.receiver = player
          if refusing.contains(player) {
            outcome.refusal = .limitReached
          } else {
            outcome.challenge = ChallengeID(high: 6, low: 1)
          }
          return outcome
        }
        answers.outcomes = outcomes
        answers.issued.outcomes = outcomes
        answers.boards.declared["laps"] = BoardAnswers.classic("laps", .seconds)
        answers.friends = [(FakeClient.stranger, "Anna"), (FakeClient.friend, "Bert")].map {
          var friend = Friend()
          (friend.player, friend.displayName, friend.state) = ($0, $1, .friends)
          return friend
        }
        var definition = AchievementDefinition()
        (definition.achievement, definition.title) = ("first", "First blood")
        answers.definitions = [definition]
      }
    }

    private var score: GKScore {
      let score = GKScore(leaderboardIdentifier: "laps")
      (score.value, score.context) = (61, 7)
      return score
    }

    private var suggested: [GKPlayer] { [GKPlayer(FakeClient.friend, displayName: "Friend")] }

    private func show(_ composer: UIViewController?) {
      if let composer { screen.present(composer, animated: true) }
    }

    @Test("6.1 The player says whom to challenge and in which words, and nobody else does")
    func compose() async throws {
      let client = client()
      var draft: ChallengeDraft?
      presenter.challengeComposition = {
        draft = $0
        return .init(playerIDs: [Self.friend, Self.friend], message: "Try this")
      }
      let composer = score.challengeComposeController(
        withMessage: "Beat me", players: suggested, completionHandler: ending.ids)
      #expect(draft == nil && client.asked.isEmpty)
      show(composer)
      #expect(await ending.next() == Ended(isIssued: true, players: [Self.friend]))
      let shown = try #require(draft)
      #expect(shown.subject == "The laps: 1:01" && shown.message == "Beat me")
      #expect(shown.selected == [Self.friend])
      let friends = shown.friends("")
      let first = try await friends.next()
      #expect(first.map(\.displayName) == ["Bert"] && first.map(\.isSuggested) == [true])
      #expect(client.asked.filter { $0 is SelectRecipients }.count == 2)
      #expect(try await friends.next().map(\.displayName) == ["Anna"])
      #expect(try await friends.next().isEmpty)
      #expect(try await shown.friends("ann").next().map(\.playerID) == [Self.stranger])
      let issued = client.asked.compactMap { $0 as? IssueScoreChallenge }
      #expect(issued.map(\.message) == ["Try this"] && issued.first?.value == 61)
      #expect(issued.first?.scoreTag == 7 && issued.first?.isAttempt == true)
      #expect(ending.count == 1)
    }

    @Test("6.1 A composer for an achievement shows its title, and issues to those who were chosen")
    func achievement() async {
      let client = client(refusing: [FakeClient.stranger])
      var subject = ""
      presenter.challengeComposition = {
        subject = $0.subject
        return .init(playerIDs: [Self.friend, Self.stranger], message: "Now you")
      }
      let composer = GKAchievement(identifier: "first").challengeComposeController(
        withMessage: nil, players: [], completion: ending.players)
      show(composer)
      #expect(await ending.next() == Ended(isIssued: true, players: ["Friend"]))
      #expect(subject == "First blood")
      #expect(
        client.answers.withLock { $0.askedToEarn.last } == [FakeClient.friend, FakeClient.stranger])
      let refusals = (composer as? ChallengeComposeController)?.refusals
      #expect(refusals?.keys.sorted() == [Self.stranger])
    }

    @Test("6.3 Where nobody got a challenge, none counts as issued; the composer says why")
    func refused() async {
      let client = client(refusing: [FakeClient.friend, FakeClient.stranger])
      presenter.challengeComposition = { _ in .init(playerIDs: [Self.friend], message: "") }
      let composer = score.challengeComposeController(
        withMessage: nil, players: nil, completionHandler: ending.ids)
      show(composer)
      #expect(await ending.next() == Ended(isIssued: false, players: nil))
      let refusals = (composer as? ChallengeComposeController)?.refusals
      #expect((refusals?[Self.friend] as? GKError)?.failure == .limitReached)
      client.answers.withLock { $0.issued.outcomes = [] }
      client.answers.withLock { $0.issued.error = MusterError(.notAllowed, "Not completed.") }
      let other = GKAchievement(identifier: "first").challengeComposeController(
        withMessage: nil, players: [], completionHandler: ending.ids)
      screen.dismiss(animated: true)
      show(other)
      #expect(await ending.next() == Ended(isIssued: false, players: nil))
      let error = (other as? ChallengeComposeController)?.error as? GKError
      #expect(error?.failure == .notAllowed)
    }

    @Test("6.1 Each spelling makes a composer, and each handler gets its end")
    func spellings() async throws {
      let client = client()
      presenter.challengeComposition = { .init(playerIDs: $0.selected, message: $0.message) }
      client.answers.withLock { answers in
        answers.page.entries = [ScoreTests.entry(1, FakeClient.me, 70)]
      }
      let board = GKLeaderboard()
      board.identifier = "laps"
      let loaded = try await board.loadEntries(
        for: .global, timeScope: .allTime, range: NSRange(location: 1, length: 1))
      let (entry, achievement) = (loaded.1[0], GKAchievement(identifier: "first"))
      let (ids, players) = (ending.ids, ending.players)
      let composers: [UIViewController?] = [
        score.challengeComposeController(
          withMessage: "1", players: suggested, completionHandler: ids),
        score.challengeComposeController(withMessage: "2", players: suggested, completion: players),
        score.challengeComposeController(
          withPlayers: [Self.friend, "nobody"], message: "3", completionHandler: ids),
        score.challengeComposeController(
          withPlayers: [Self.friend], message: "4", completion: ids),
        entry.challengeComposeController(
          withMessage: "5", players: suggested, completionHandler: ids),
        entry.challengeComposeController(withMessage: "6", players: suggested, completion: players),
        score.challengeComposeController(withMessage: "7", players: suggested) { ids($0, $1, $2) },
        achievement.challengeComposeController(
          withMessage: "8", players: suggested, completionHandler: ids),
        achievement.challengeComposeController(
          withMessage: "9", players: suggested, completion: players),
        achievement.challengeComposeController(
          withPlayers: [Self.friend], message: "10", completionHandler: ids),
        achievement.challengeComposeController(
          withPlayers: [Self.friend], message: "11", completion: ids),
      ]
      for (place, composer) in composers.enumerated() {
        show(composer)
        let players = [1, 5, 8].contains(place) ? ["Friend"] : [Self.friend]
        #expect(await ending.next() == Ended(isIssued: true, players: players))
        screen.dismiss(animated: false)
      }
      let issued = client.asked.compactMap { $0 as? IssueScoreChallenge }
      #expect(issued.map(\.message) == ["1", "2", "3", "4", "5", "6", "7"])
      #expect(issued[4].value == 70 && !issued[4].isAttempt && issued[3].isAttempt)
      #expect(client.answers.withLock { $0.askedToEarn.count } == 4)
      // Without a handler nobody is told.
      show(score.challengeComposeController(withMessage: nil, players: nil))
      #expect(ending.count == composers.count)
    }
  }
}
