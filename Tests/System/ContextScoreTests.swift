import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// Boards and contexts: the gateway asks one service for a call to the other.
  @Suite struct ContextScores {
    private func befriend(_ one: MusterClient, _ other: MusterClient, _ ids: [PlayerID])
      async throws
    {
      var invite = InviteFriend()
      invite.player = ids[1]
      _ = try await one.call(invite)
      for await event in other.events where event.kind == FriendInvitation.opcode { break }
      var answer = AnswerFriend()
      (answer.player, answer.accept) = (ids[0], true)
      _ = try await other.call(answer)
      for await event in one.events where event.kind == FriendAccepted.opcode { break }
    }

    private func query(_ board: String, _ context: ContextID) -> TopScores {
      var query = TopScores()
      (query.board, query.scope, query.context) = (board, .context, context)
      return query
    }

    private func submit(_ value: Int64, to board: String, as client: MusterClient) async throws {
      var submit = SubmitScore()
      (submit.board, submit.value) = (board, value)
      _ = try await client.call(submit)
    }

    private func failure<O: MusterKit.Operation>(_ operation: O, _ client: MusterClient) async
      -> MusterError?
    {
      do {
        _ = try await client.call(operation)
        return nil
      } catch { return error }
    }

    @Test(
      "4.2 4.3 a context's players among themselves, and a board of their own", arguments: [1, 3])
    func scores(partitions: Int) async throws {
      try await withStack(Stack.Options(partitions: partitions)) { stack in
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        let cleo = try await stack.player("Cleo")
        try await befriend(anna.client, ben.client, [anna.1.player, ben.1.player])
        let context = try await anna.client.createContext(with: ben.1.player).context
        try await ben.client.switchContext(to: context)
        try await stack.declare("open")
        for (client, value) in [(anna.client, 5), (ben.client, 9), (cleo.client, 7)] {
          try await submit(Int64(value), to: "open", as: client)
        }
        let page = try await anna.client.call(query("open", context))
        #expect(page.entries.map(\.player) == [ben.1.player, anna.1.player])
        #expect(page.localEntry?.rank == 2 && page.total == 2)
        let stranger = await failure(query("open", context), cleo.client)
        let unknown = await failure(query("open", ContextID(high: 1, low: 2)), anna.client)
        for failure in [stranger, unknown] {
          #expect(failure?.code == .notFound && failure?.argument == "context")
        }

        try await link("linked", to: context, stack)
        try await submit(3, to: "linked", as: anna.client)
        try await submit(4, to: "linked", as: ben.client)
        var all = TopScores()
        all.board = "linked"
        #expect(try await anna.client.call(all).entries.map(\.value) == [4, 3])
        #expect(await failure(all, cleo.client)?.argument == "context")
        try await anna.client.leaveContext(context)
        #expect(await failure(all, anna.client)?.code == .notFound)
        for player in [anna, ben, cleo] { await player.client.close() }
      }
    }

    @Test("4.2 6.5 on a linked board an answer to a challenge passes no score")
    func answers() async throws {
      try await withStack { stack in
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        try await befriend(anna.client, ben.client, [anna.1.player, ben.1.player])
        let context = try await anna.client.createContext(with: ben.1.player).context
        try await link("linked", to: context, stack)
        try await submit(3, to: "linked", as: anna.client)
        var issue = IssueScoreChallenge()
        (issue.board, issue.receivers) = ("linked", [ben.1.player])
        let id = try #require(try await anna.client.call(issue).outcomes.first?.challenge)
        let raw = try stack.client()
        _ = try await raw.call(SignIn(ben.1)).get()
        var (score, decline) = (SubmitScore(), DeclineChallenge())
        (score.board, score.value, decline.board, decline.challenge) = ("linked", 9, "linked", id)
        let (scored, declined) = await raw.callInOrder(score, decline)
        #expect(try scored.get().completedChallenges == [id])
        #expect(declined.code == .notFound && declined.failure?.argument == "challenge")
        await raw.end()
        for player in [anna, ben] { await player.client.close() }
      }
    }

    private func link(_ board: String, to context: ContextID, _ stack: Stack) async throws {
      let owner = MusterClient(stack.configuration)
      try await owner.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
      var define = DefineLeaderboard()
      (define.definition.board, define.definition.linkedContext) = (board, context)
      _ = try await owner.call(define)
      await owner.close()
    }

    @Test("4.3 7.2 without the context service a query of its players fails, and no other")
    func contextServiceDown() async throws {
      try await withStack { stack in
        try await stack.declare("open")
        let (client, credential) = try await stack.player("Anna")
        let context = try await client.createSoloContext().context
        try await submit(5, to: "open", as: client)
        await client.close()
        let raw = try stack.client()
        _ = try await raw.call(SignIn(credential)).get()
        try await stack.kill("context/1")
        var envelope = ClientEnvelope()
        envelope.deadlineMilliseconds = 300
        let body = query("open", context).encoded
        let answer = await raw.call(TopScores.opcode, envelope, body)
        // The link to the service and the held call both end with the deadline.
        #expect(answer.code == .unavailable || answer.code == .deadlineExceeded, "\(answer)")
        var global = TopScores()
        global.board = "open"
        #expect(try await raw.call(global).get().total == 1, "the others are served")
        try await stack.start("context/1")
        #expect(try await raw.call(query("open", context)).get().total == 1)
        await raw.end()
      }
    }
  }
}
