import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// Achievements and challenges to earn them, over keys in several processes.
  @Suite struct Achievements {
    private func report(_ achievement: String, by client: MusterClient) async throws
      -> ReportAchievements.Reply
    {
      var operation = ReportAchievements()
      operation.reports = [AchievementReport()]
      operation.reports[0].achievement = achievement
      operation.reports[0].percentComplete = 100
      return try await client.call(operation)
    }

    @Test("6.5 a player's other devices are told at once when a list of challenges changes")
    func hints() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        try await stack.declare("open")
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        try await befriend(anna, ben)
        let other = MusterClient(stack.configuration)
        try await other.signIn(ben.1)
        // Friends' presence is told in between.
        var hints = other.hints.compactMap { $0.decode(ChallengeListChanged.self) }
          .makeAsyncIterator()
        var submit = SubmitScore()
        (submit.board, submit.value) = ("open", 5)
        _ = try await anna.client.call(submit)
        var issue = IssueScoreChallenge()
        (issue.board, issue.receivers) = ("open", [ben.1.player])
        let id = try await anna.client.call(issue).outcomes[0].challenge
        let received = await hints.next()
        #expect(received?.challenge == id && received?.state == .pending)
        var decline = DeclineChallenge()
        (decline.board, decline.challenge) = ("open", try #require(id))
        _ = try await ben.client.call(decline)
        let declined = await hints.next()
        #expect(declined?.challenge == id && declined?.state == .declined)
        for client in [anna.client, ben.client, other] { await client.close() }
      }
    }

    @Test("5.3 6.3 6.4 facts come from every key; who can be challenged is, the others are told of")
    func challenges() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let owner = MusterClient(stack.configuration)
        try await owner.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
        var define = DefineAchievement()
        define.definition.achievement = "first"
        #expect(try await owner.call(define).change == .created)
        define.definition.achievement = "secret"
        define.definition.isHidden = true
        #expect(try await owner.call(define).change == .created)
        #expect(try await owner.call(DescribeAchievements()).definitions.count == 2)
        await owner.close()
        let anna = try await stack.player("Anna")
        let friends = [try await stack.player("Ben"), try await stack.player("Cleo")]
        let stranger = try await stack.player("Dan")
        for friend in friends { try await befriend(anna, friend) }
        #expect(try await anna.client.call(DescribeAchievements()).definitions.count == 1)
        for name in ["first", "secret"] { _ = try await report(name, by: anna.client) }
        #expect(try await anna.client.call(DescribeAchievements()).definitions.count == 2)
        _ = try await report("first", by: friends[1].client)

        let possible = try await anna.client.challengeablePlayers(toEarn: "first")
        #expect(possible.players == [friends[0].1.player] && possible.error == nil)
        #expect(possible.refused.map(\.refusal) == [.alreadyEarned])
        let hidden = try await anna.client.challengeablePlayers(
          toEarn: "secret", among: friends.map(\.1.player))
        #expect(hidden.players.isEmpty && hidden.refused.map(\.refusal) == [.hidden, .hidden])

        let receivers = [stranger.1.player, friends[1].1.player, friends[0].1.player]
        let issued = try await anna.client.issueChallenge(toEarn: "first", receivers: receivers)
        #expect(issued.outcomes.map(\.receiver) == receivers)
        #expect(issued.outcomes.map(\.refusal) == [.notReachable, .alreadyEarned, .none])
        let reply = try await report("first", by: friends[0].client)
        #expect(reply.completedChallenges == [issued.outcomes[2].challenge])
        for await event in anna.client.events where event.kind == ChallengeCompleted.opcode {
          let completed = event.decode(ChallengeCompleted.self)
          #expect(completed?.isLocal == false)
          break
        }
        await #expect(throws: MusterError.self) {
          _ = try await friends[1].client.issueChallenge(toEarn: "secret", receivers: receivers)
        }
        for player in [anna, friends[0], friends[1], stranger] { await player.client.close() }
      }
    }
  }
}
