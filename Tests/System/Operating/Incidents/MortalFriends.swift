import MusterKit
import Operations
import Stack
import Testing
import Wire

/// Two friends, and what they have of each other that lives for a while only.
struct MortalFriends {
  /// What was made, and would be over in a year.
  struct Mortals {
    /// Of a run of Ben's; it lives for two days.
    var ticket: TicketID
    /// For Ben, a day long; 3 completes it.
    var challenge: ChallengeID
    /// For Ben; it lives for two months.
    var request: RequestID
    /// Of a session of Ben's; it lives for hours.
    var token: Bytes
  }

  private static let board = "runs"

  private let stack: Stack
  private let anna: (client: MusterClient, Credential)
  private let ben: (client: MusterClient, Credential)

  init(_ stack: Stack) async throws {
    self.stack = stack
    let owner = MusterClient(stack.configuration)
    try await owner.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
    var define = DefineLeaderboard()
    (define.definition.board, define.definition.requiresTicket) = (Self.board, true)
    _ = try await owner.call(define)
    await owner.close()
    anna = try await stack.player("Anna")
    ben = try await stack.player("Ben")
    try await befriend(anna, ben)
    var score = SubmitScore()
    (score.board, score.value) = (Self.board, 3)
    score.ticket = try await ticket(of: anna.client)
    _ = try await anna.client.call(score)
  }

  private func ticket(of client: MusterClient) async throws -> TicketID {
    var run = StartRun()
    run.board = Self.board
    return try await client.call(run).ticket
  }

  func make() async throws -> Mortals {
    var issue = IssueScoreChallenge()
    (issue.board, issue.receivers) = (Self.board, [ben.1.player])
    issue.lifetimeMilliseconds = 24 * 3_600_000
    var send = SendRequest()
    (send.message, send.recipients) = ("come and play", ["\(ben.1.player)"])
    let outcome = try await anna.client.call(issue).outcomes.first
    let mortals = Mortals(
      ticket: try await ticket(of: ben.client), challenge: try #require(outcome?.challenge),
      request: try await anna.client.call(send).request, token: try await token())
    for await event in ben.client.events {
      let request = event.decode(RequestReceived.self)?.request.request
      if request == mortals.request { break }
    }
    return mortals
  }

  private func token() async throws -> Bytes {
    let client = try stack.client()
    let token = try await client.call(SignIn(ben.1)).get().token
    await client.end()
    return token
  }

  /// Makes use of all; returns the date of the score that does.
  func expectAlive(_ mortals: Mortals) async throws -> Int64 {
    let score = try await ben.client.call(score(mortals))
    #expect(score.completedChallenges == [mortals.challenge])
    var answer = AnswerRequest()
    (answer.request, answer.accept) = (mortals.request, true)
    _ = try await ben.client.call(answer)
    let client = try stack.client()
    var resume = Resume()
    resume.token = mortals.token
    #expect(try await client.call(resume).get().player == ben.1.player)
    await client.end()
    return score.entry.date
  }

  /// What the leaderboard service has made is over.
  func expectOver(_ mortals: Mortals) async throws {
    let client = try stack.client()
    _ = try await client.call(SignIn(ben.1)).get()
    let refusal = await client.call(score(mortals), counter: 1).failure
    #expect(refusal?.code == .notFound && refusal?.argument == "ticket", "\(refusal as Any)")
    let challenges = try await client.call(ReceivedChallenges()).get().challenges
    #expect(challenges.first { $0.id == mortals.challenge }?.state.isOpen != true)
    await client.end()
  }

  /// One of Ben's, as good as the challenge asks for.
  private func score(_ mortals: Mortals) -> SubmitScore {
    var score = SubmitScore()
    (score.board, score.value, score.ticket) = (Self.board, 3, mortals.ticket)
    return score
  }

  func end() async {
    await anna.client.close()
    await ben.client.close()
  }
}
