import Domain
import Operations
import Wire

/// What the clients set out to do: everything at random, about each other.
final class Workload {
  /// Boards of every way to aggregate and to rank.
  static let boards: [LeaderboardDefinition] = {
    func board(
      _ name: String, _ order: ScoreOrder, _ aggregation: ScoreAggregation, _ tie: ScoreTieRule
    ) -> LeaderboardDefinition {
      var definition = LeaderboardDefinition()
      definition.board = name
      definition.sortOrder = order
      definition.aggregation = aggregation
      definition.tieRule = tie
      // What boards keep besides must not change what they answer.
      if aggregation == .best {
        definition.attempts = .forever
        definition.hasWindows = true
      }
      return definition
    }
    return [
      board("best", .highFirst, .best, .earliestFirst),
      board("fastest", .lowFirst, .best, .sharedRank),
      board("latest", .highFirst, .latest, .earliestFirst),
      board("sum", .highFirst, .sum, .sharedRank),
    ]
  }()

  /// Of every kind.
  static let achievements: [AchievementDefinition] = {
    func achievement(_ name: String, hidden: Bool = false, replayable: Bool = false)
      -> AchievementDefinition
    {
      var definition = AchievementDefinition()
      definition.achievement = name
      definition.isHidden = hidden
      definition.isReplayable = replayable
      return definition
    }
    return [
      achievement("again", replayable: true), achievement("once"),
      achievement("secret", hidden: true),
    ]
  }()

  /// Open calls of one client.
  private static let openMax = 3

  private let deployment: Deployment
  let clients: [SimulatedClient]
  let admin: SimulatedClient
  private(set) var stepsLeft: Int
  private var contexts: [PlayerID: [ContextID]] = [:]

  init(_ deployment: Deployment) {
    self.deployment = deployment
    stepsLeft = deployment.options.steps
    clients = (1...max(2, deployment.options.players)).map {
      SimulatedClient(UInt64($0), deployment: deployment)
    }
    admin = SimulatedClient(1000, kind: .deploymentOperator, deployment: deployment)
  }

  private var schedule: Schedule { deployment.schedule }
  var everybody: [SimulatedClient] { clients + [admin] }
  var isDone: Bool { stepsLeft == 0 && everybody.allSatisfy { $0.isIdle } }

  func start() {
    for client in everybody { client.start() }
    for board in Self.boards {
      var define = DefineLeaderboard()
      define.definition = board
      admin.call(define)
    }
    for achievement in Self.achievements {
      var define = DefineAchievement()
      define.definition = achievement
      admin.call(define)
    }
    stepLater()
  }

  private func stepLater() {
    schedule.after(schedule.number(0...12)) { [self] in
      guard stepsLeft > 0 else { return }
      if let client = schedule.pick(clients), client.isReady, client.openCount < Self.openMax {
        stepsLeft -= 1
        step(client)
      }
      stepLater()
    }
  }

  private func step(_ client: SimulatedClient) {
    // Most of what can be done is done among friends.
    let isEarly = stepsLeft * 5 > deployment.options.steps * 4
    switch isEarly ? schedule.number(0...30) : schedule.number(0...99) {
    case 0..<14: befriend(client)
    case 14..<18: unfriend(client)
    case 18..<30: sendRequest(client)
    case 30..<42: answerRequest(client)
    case 42..<52: submitScore(client)
    case 52..<60: reportAchievements(client)
    case 60..<65: issueChallenge(client)
    case 65..<70: challengeToEarn(client)
    case 70..<76: answerChallenge(client)
    case 76..<92: context(client)
    default: acknowledge(client)
    }
  }

  private func other(_ client: SimulatedClient) -> PlayerID {
    schedule.pick(clients.filter { $0 !== client && $0.hasSignedIn })?.player ?? client.player
  }

  private func number(_ range: ClosedRange<Int64>) -> Int64 { schedule.number(range) }

  // MARK: Friends

  private func befriend(_ client: SimulatedClient) {
    let invitation = schedule.pick(client.feed.all(FriendInvitation.self))
    guard let invitation, schedule.isChance(oneIn: 2) else {
      var invite = InviteFriend()
      invite.player = other(client)
      client.call(invite)
      return
    }
    var answer = AnswerFriend()
    answer.player = invitation.player
    answer.accept = !schedule.isChance(oneIn: 8)
    client.call(answer)
  }

  private func unfriend(_ client: SimulatedClient) {
    switch number(0...5) {
    case 0:
      var block = BlockPlayer()
      block.player = other(client)
      client.call(block)
    case 1...3:
      var unblock = UnblockPlayer()
      unblock.player = other(client)
      client.call(unblock)
    default:
      var remove = RemoveFriend()
      remove.player = other(client)
      client.call(remove)
    }
  }

  // MARK: Requests

  private func sendRequest(_ client: SimulatedClient) {
    var send = SendRequest()
    send.message = "come and play"
    for _ in 0..<number(1...3) { send.recipients.append("\(other(client))") }
    client.call(send)
  }

  private func answerRequest(_ client: SimulatedClient) {
    guard let event = schedule.pick(client.feed.all(RequestReceived.self)) else { return }
    if schedule.isChance(oneIn: 4) {
      var delete = DeleteRequest()
      delete.request = event.request.request
      client.call(delete)
    } else {
      var answer = AnswerRequest()
      answer.request = event.request.request
      answer.accept = schedule.isChance(oneIn: 2)
      client.call(answer)
    }
  }

  // MARK: Boards and challenges

  /// Mostly the first one, so that those who play meet.
  private func board() -> String {
    (schedule.isChance(oneIn: 3) ? schedule.pick(Self.boards) : Self.boards.first)?.board ?? ""
  }

  private func submitScore(_ client: SimulatedClient) {
    var submit = SubmitScore()
    submit.board = board()
    submit.value = number(-20...60)
    submit.context = UInt64(number(0...1000))
    if schedule.isChance(oneIn: 6) {
      submit.eligibility = .listed
      let received = client.feed.all(ChallengeReceived.self).map(\.challenge.id)
      submit.eligibleChallenges = Array(received.suffix(2))
    }
    client.call(submit)
  }

  private func issueChallenge(_ client: SimulatedClient) {
    var issue = IssueScoreChallenge()
    issue.board = board()
    issue.message = "beat this"
    for _ in 0..<number(1...2) {
      let friend = schedule.pick(client.feed.all(FriendAccepted.self))?.player
      issue.receivers.append(friend ?? other(client))
    }
    client.call(issue)
  }

  /// Mostly the one that can be earned again, so that those who challenge may and those who are
  /// challenged can.
  private func achievement() -> String {
    (schedule.isChance(oneIn: 3) ? schedule.pick(Self.achievements) : Self.achievements.first)?
      .achievement ?? ""
  }

  private func reportAchievements(_ client: SimulatedClient) {
    if schedule.isChance(oneIn: 15) {
      client.call(ResetAchievements())
      return
    }
    var operation = ReportAchievements()
    for _ in 0..<number(1...2) {
      var report = AchievementReport()
      report.achievement = achievement()
      report.percentComplete = schedule.isChance(oneIn: 2) ? 100 : Double(number(0...100))
      operation.reports.append(report)
    }
    if schedule.isChance(oneIn: 6) {
      operation.eligibility = .listed
      let received = client.feed.all(ChallengeReceived.self).map(\.challenge.id)
      operation.eligibleChallenges = Array(received.suffix(2))
    }
    client.call(operation)
  }

  private func challengeToEarn(_ client: SimulatedClient) {
    var issue = IssueAchievementChallenge()
    issue.receiver =
      schedule.pick(client.feed.all(FriendAccepted.self))?.player ?? other(client)
    issue.achievement = achievement()
    client.call(issue)
  }

  private func answerChallenge(_ client: SimulatedClient) {
    guard let event = schedule.pick(client.feed.all(ChallengeReceived.self)) else { return }
    let accepts = schedule.isChance(oneIn: 2)
    if event.challenge.board.isEmpty {
      var answer = AnswerAchievementChallenge()
      answer.challenge = event.challenge.id
      answer.accept = accepts
      client.call(answer)
    } else if accepts {
      var accept = AcceptChallenge()
      accept.board = event.challenge.board
      accept.challenge = event.challenge.id
      client.call(accept)
    } else {
      var decline = DeclineChallenge()
      decline.board = event.challenge.board
      decline.challenge = event.challenge.id
      client.call(decline)
    }
  }

  // MARK: Contexts

  private func context(_ client: SimulatedClient) {
    let invited = client.feed.all(ContextInvitation.self).map(\.info.context)
    let known = schedule.pick((contexts[client.player] ?? []) + invited)
    switch (number(0...9), known) {
    case (0, _):
      client.call(CreateSoloContext()) { [self] in note($0, client) }
    case (1...4, _), (_, nil):
      var create = CreatePairContext()
      create.player = other(client)
      client.call(create) { [self] in note($0, client) }
    case (5...7, let context?):
      var enter = SwitchContext()
      enter.context = context
      client.call(enter)
    case (_, let context?):
      var leave = LeaveContext()
      leave.context = context
      client.call(leave)
    }
  }

  private func note(_ result: Result<ContextInfo, Failure>, _ client: SimulatedClient) {
    if case .success(let info) = result {
      contexts[client.player, default: []].append(info.context)
    }
  }

  private func acknowledge(_ client: SimulatedClient) {
    guard client.feed.through > 0 else { return }
    var acknowledge = Acknowledge()
    acknowledge.through = client.feed.through
    client.call(acknowledge)
  }
}
