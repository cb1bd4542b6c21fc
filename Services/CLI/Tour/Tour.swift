import MusterKit

/// One round of the tour, step by step.
struct Tour {
  let session: Session
  let pace: Duration
  var configuration: MusterConfiguration {
    var configuration = session.settings.configuration
    // A process may be killed and started again in the middle of any call.
    configuration.callDeadline = max(configuration.callDeadline, .seconds(60))
    return configuration
  }

  init(session: Session, pace: Duration) {
    self.session = session
    self.pace = pace
  }

  /// Plays everything, and returns the state at the end, which is the same in every round.
  func play() async throws -> Tree {
    let board = try await declareBoard()
    let anna = try await TourPlayer.join("Anna", configuration)
    let ben = try await TourPlayer.join("Ben", configuration)
    try await step("Anna and Ben signed up and signed in")
    try await becomeFriends(anna, ben)
    let context = try await enterContext(anna, ben)
    let counter = try await shareCounter(anna, ben, context)
    try await exchangeRequests(anna, ben)
    try await showPhoto(of: anna, to: ben)
    try await inviteGuest(anna)
    let ranks = try await compete(anna, ben, board)
    try await earn(anna, ben)
    try await playAsThree(anna, ben, board)
    try await export(anna)
    try check(
      anna.sequences == Array(1...UInt64(anna.sequences.count))
        && ben.sequences == Array(1...UInt64(ben.sequences.count)),
      "the event streams have no gap and nothing twice")
    await anna.client.close()
    await ben.client.close()
    return .object([
      .init(name: "counter", value: .integer(counter)),
      .init(name: "ranks", value: .list(ranks.map { .text($0) })),
      .init(name: "annaEvents", value: .integer(Int64(anna.sequences.count))),
      .init(name: "benEvents", value: .integer(Int64(ben.sequences.count))),
    ])
  }

  func step(_ text: String) async throws {
    session.output.note("  ✓ \(text)")
    if pace > .zero { try await Pause.wait(pace) }
  }

  func check(_ condition: Bool, _ what: String) throws {
    guard condition else { throw TourFailure(description: "it does not hold that \(what)") }
  }

  private func issuedChallenge(_ outcomes: [ChallengeOutcome]) throws -> ChallengeID {
    guard let challenge = outcomes.first?.challenge else {
      throw TourFailure(description: "the challenge was not issued: \(outcomes)")
    }
    return challenge
  }

  private func declareBoard() async throws -> String {
    let board = "tour-\(UInt32.random(in: 0 ... .max))"
    var operation = DefineLeaderboard()
    operation.definition.board = board
    operation.definition.title = "Tour"
    try await declare(DeclareGame())
    try await declare(operation)
    try await step("the operator declared the leaderboard \(board)")
    return board
  }

  private func declare<O: MusterKit.Operation>(_ operation: O) async throws {
    _ = try await session.asOperator(configuration) { try await $0.call(operation) }
  }

  func becomeFriends(_ anna: TourPlayer, _ ben: TourPlayer) async throws {
    var invite = InviteFriend()
    invite.player = ben.identifier
    _ = try await anna.client.call(invite)
    _ = await ben.event(FriendInvitation.self) { $0.player == anna.identifier }
    var answer = AnswerFriend()
    answer.player = anna.identifier
    answer.accept = true
    _ = try await ben.client.call(answer)
    _ = await anna.event(FriendAccepted.self) { $0.player == ben.identifier }
    try await step("\(ben.name) accepted \(anna.name)'s invitation: they are friends")
  }

  private func enterContext(_ anna: TourPlayer, _ ben: TourPlayer) async throws -> ContextID {
    let created = try await anna.client.createContext(with: ben.identifier)
    try check(anna.client.currentContext?.context == created.context, "the context is current")
    let again = try await anna.client.createContext(with: ben.identifier)
    try check(again.context == created.context, "creating it again gives the same context")
    let invitation = await ben.event(ContextInvitation.self)
    try check(invitation.info.context == created.context, "Ben is invited to that context")
    let entered = try await ben.client.switchContext(to: created.context)
    try check(entered.size == 2, "the context has two players")
    _ = await anna.event(ContextPlayerChanged.self) { $0.player == ben.identifier }
    try await step("they entered a context of size \(entered.size)")
    return created.context
  }

  private func exchangeRequests(_ anna: TourPlayer, _ ben: TourPlayer) async throws {
    var send = SendRequest()
    send.message = "Your turn!"
    send.actionType = .turn
    send.recipients = [ben.identifier.description]
    let sent = try await anna.client.call(send)
    let received = await ben.event(RequestReceived.self) { $0.request.request == sent.request }
    try check(received.request.sender == anna.identifier, "the request names its sender")
    let inbox = try await ben.client.call(Inbox())
    try check(inbox.requests.map(\.request) == [sent.request], "the inbox holds that request")
    var answer = AnswerRequest()
    answer.request = sent.request
    answer.accept = true
    _ = try await ben.client.call(answer)
    let answered = await anna.event(RequestAnswered.self)
    try check(
      answered.accepted && answered.request == sent.request, "Anna was told that Ben accepted")
    try check(
      anna.events(RequestAnswered.self).count == 1 && ben.events(RequestReceived.self).count == 1,
      "each of them was told once")
    try await step("Ben accepted Anna's request \"\(send.message)\"")
  }

  private func compete(_ anna: TourPlayer, _ ben: TourPlayer, _ board: String) async throws
    -> [String]
  {
    try await submit(1000, by: anna, on: board)
    var issue = IssueScoreChallenge()
    issue.board = board
    issue.receivers = [ben.identifier]
    issue.message = "Beat this"
    let issued = try await anna.client.call(issue)
    let challenge = try issuedChallenge(issued.outcomes)
    _ = await ben.event(ChallengeReceived.self) { $0.challenge.id == challenge }
    try await step("Anna submitted 1000 and challenged Ben")
    try await submit(900, by: ben, on: board)
    try await submit(1100, by: ben, on: board)
    let local = await ben.event(ChallengeCompleted.self) { $0.challenge.id == challenge }
    let remote = await anna.event(ChallengeCompleted.self) { $0.challenge.id == challenge }
    try check(local.isLocal && !remote.isLocal, "both sides were told of the completion")
    try check(
      anna.events(ChallengeCompleted.self).count == 1
        && ben.events(ChallengeCompleted.self).count == 1, "each side was told exactly once")
    try await step("Ben submitted 1100: the challenge is completed, and both were told once")
    var top = TopScores()
    top.board = board
    let page = try await anna.client.call(top)
    let names = [anna.identifier: anna.name, ben.identifier: ben.name]
    let ranks = page.entries.map { "\($0.rank). \(names[$0.player] ?? "?") \($0.value)" }
    try check(ranks == ["1. Ben 1100", "2. Anna 1000"], "the ranks are right: \(ranks)")
    (top.scope, top.context) = (.context, anna.client.currentContext?.context)
    let own = try await anna.client.call(top)
    try check(own == page, "the players of their context are ranked as they are among all")
    try await step("the leaderboard: \(ranks.joined(separator: ", "))")
    return ranks
  }

  private func earn(_ anna: TourPlayer, _ ben: TourPlayer) async throws {
    let achievement = "tour"
    var operation = DefineAchievement()
    operation.definition.achievement = achievement
    operation.definition.title = "Took the tour"
    try await declare(operation)
    try await report(achievement, by: anna)
    let issued = try await anna.client.issueChallenge(
      toEarn: achievement, receivers: [ben.identifier], message: "Earn this")
    let challenge = try issuedChallenge(issued.outcomes)
    _ = await ben.event(ChallengeReceived.self) { $0.challenge.id == challenge }
    try await report(achievement, by: ben)
    let local = await ben.event(ChallengeCompleted.self) { $0.challenge.id == challenge }
    let remote = await anna.event(ChallengeCompleted.self) { $0.challenge.id == challenge }
    try check(local.isLocal && !remote.isLocal, "both sides were told of the completion")
    let again = try await anna.client.issueChallenge(
      toEarn: achievement, receivers: [ben.identifier])
    try check(
      again.outcomes.map(\.refusal) == [.alreadyEarned], "Ben cannot be challenged to it again")
    try await step("Anna completed the achievement \(achievement), and Ben met her challenge to")
  }

  private func report(_ achievement: String, by player: TourPlayer) async throws {
    var operation = ReportAchievements()
    operation.reports = [AchievementReport()]
    operation.reports[0].achievement = achievement
    operation.reports[0].percentComplete = 100
    _ = try await player.client.call(operation)
  }

  private func submit(_ value: Int64, by player: TourPlayer, on board: String) async throws {
    var submit = SubmitScore()
    submit.board = board
    submit.value = value
    _ = try await player.client.call(submit)
  }

  /// The counter app: turns with the absolute number, then both at once with differences.
  private func shareCounter(_ anna: TourPlayer, _ ben: TourPlayer, _ context: ContextID)
    async throws -> Int64
  {
    let one = CounterPlayer(try await anna.client.match(in: context))
    let other = CounterPlayer(try await ben.client.match(in: context))
    await one.untilConnected()
    await other.untilConnected()
    for value in 1...3 {
      try await (value % 2 == 1 ? one : other).set(Int64(value))
      await (value % 2 == 1 ? other : one).until(Int64(value))
    }
    try await step("the counter app: taking turns, both see 3")
    try await withThrowingTaskGroup { group in
      for (player, difference) in [(one, Int64(2)), (other, Int64(-1))] {
        group.addTask { for _ in 0..<50 { try await player.add(difference) } }
      }
      try await group.waitForAll()
    }
    let total = 3 + 50 * 2 - 50
    await one.until(Int64(total))
    await other.until(Int64(total))
    try await step("the counter app: changing it at once, both see \(total)")
    try await one.leave()
    await other.untilEnded()
    try await step("Anna left, and Ben's match ended")
    return Int64(total)
  }
}
