import Domain
import GatewayCore
import Operations
import Wire

/// What the clients set out to do: calls of all kinds, by chance, mostly about each other.
final class Workload {
  /// The most calls that a client of this workload has open.
  static let openMax = 3
  /// The most pairs of players who have a board of their own.
  private static let pairsMax = 2
  static let linkedBoardKeys = Set(
    (0..<pairsMax).map { RoutingKey(game: Deployment.game, name: linkedBoardName($0)) })

  let deployment: Deployment
  /// Those whose players are not about to be erased.
  var clients: [SimulatedClient]
  /// The devices of the others, those that are gone too.
  var leaving: [SimulatedClient] = []
  /// Further devices of the same players.
  var devices: [SimulatedClient] = []
  let admin: SimulatedClient
  /// The game's own server.
  let judge: SimulatedClient
  /// Those that are linked to a context: one for each of the first pairs of players.
  let linkedBoards: [LeaderboardDefinition]
  /// All boards, the linked ones too.
  let boards: [LeaderboardDefinition]
  var contextQueries: [ContextQuery] = []
  /// The boards of a competition.
  private(set) var favourites: [LeaderboardDefinition]
  /// Boards from which scores are removed. Nobody is challenged on them: a removal changes
  /// challenges in several steps, which the models do not follow and the tests of the service
  /// check.
  private(set) var boardsOfRemovals: Set<String>
  private(set) var stepsLeft: Int
  /// How many of the steps that are left wait for the next time of work.
  private var stepsKept = 0
  /// The tickets of the runs that players began, used or not.
  var tickets: [PlayerID: [TicketID]] = [:]
  private(set) var contexts: [PlayerID: [ContextID]] = [:]
  var gathering = Gathering()
  var society = Society()

  init(_ deployment: Deployment) {
    self.deployment = deployment
    stepsLeft = deployment.options.steps
    let shuffled = Self.boards.shuffled(using: &deployment.schedule.random)
    favourites = Array(shuffled.prefix(3))
    boardsOfRemovals = Set(shuffled.enumerated().filter { $0.offset % 3 == 0 }.map(\.element.board))
    let clients = (1...max(2, deployment.options.playerCount)).map {
      SimulatedClient(UInt64($0), deployment: deployment)
    }
    self.clients = clients
    // In a society nobody competes.
    let isSociety = deployment.options.isSociety
    linkedBoards = (0..<(isSociety ? 0 : min(Self.pairsMax, clients.count / 2))).map { pair in
      Self.board(
        number: pair,
        of: deployment.keyring.pairNames(
          game: Deployment.game, clients[2 * pair].player, clients[2 * pair + 1].player
        ).name.key)
    }
    boards = isSociety ? [] : Self.boards + linkedBoards
    admin = SimulatedClient(1000, kind: .deploymentOperator, deployment: deployment)
    judge = SimulatedClient(1001, kind: .gameServer, deployment: deployment)
  }

  var schedule: Schedule { deployment.schedule }
  var everybody: [SimulatedClient] { clients + devices + [admin, judge] + leaving }
  var isAtRest: Bool { stepsLeft <= stepsKept }
  var isDone: Bool {
    isAtRest && everybody.allSatisfy { $0.isIdle } && leaving.allSatisfy(\.hasVanished)
  }

  /// Begins with the game: nobody can sign in to one that is not declared.
  func start() {
    admin.start()
    define(DeclareGame()) { [self] in
      for client in clients + [judge] { client.start() }
    }
    for board in boards {
      var operation = DefineLeaderboard()
      operation.definition = board
      define(operation)
    }
    for queue in Self.queues where deployment.options.isGathering {
      var operation = DefineQueue()
      operation.definition = queue
      define(operation)
    }
    for achievement in Self.achievements where !deployment.options.isSociety {
      var operation = DefineAchievement()
      operation.definition = achievement
      define(operation)
    }
  }

  /// Defines something, and again until it succeeds: some calls have little time.
  private func define<O: Operation>(_ operation: O, done: @escaping () -> Void = {}) {
    admin.call(operation) { [self] result in
      switch result {
      case .success: done()
      case .failure: admin.later(50) { self.define(operation, done: done) }
      }
    }
  }

  /// Works until so many steps are left.
  func work(until stepsKept: Int) {
    self.stepsKept = stepsKept
    for device in devices where schedule.isChance(oneIn: 2) { recall(device) }
    stepLater()
  }

  private func stepLater() {
    schedule.after(schedule.number(0...12)) { [self] in
      guard !isAtRest else { return }
      if let client = schedule.pick(clients + devices + leaving), client.isReady,
        client.openCount < Self.openMax
      {
        stepsLeft -= 1
        // Who signs out of the first of two devices may miss events.
        let isOwner = client.device == nil && society.owners.contains(client.player)
        if schedule.isChance(oneIn: 60), client.openCount == 0, !isOwner {
          client.signOut()
        } else {
          step(client)
        }
      }
      stepLater()
    }
  }

  private func step(_ client: SimulatedClient) {
    if deployment.options.hasFloods, !isEarly, schedule.isChance(oneIn: 6) {
      flood(client)
    } else if deployment.options.isSociety {
      socialize(client)
    } else if deployment.options.isGathering {
      gather(client)
    } else if deployment.options.isMeeting {
      meet(client)
    } else if deployment.options.isCompetition {
      competition(client)
    } else {
      everything(client)
    }
  }

  private func everything(_ client: SimulatedClient) {
    // Most of what can be done is done among friends.
    switch isEarly ? schedule.number(0...30) : schedule.number(0...99) {
    case 0..<14: befriend(client)
    case 14..<17: unfriend(client)
    case 17..<28: sendRequest(client)
    case 28..<39: answerRequest(client)
    case 39..<65: compete(client)
    case 65..<78: competeInContext(client)
    case 78..<88: context(client)
    case 88..<92: play(client)
    default: acknowledge(client)
    }
  }

  private func competition(_ client: SimulatedClient) {
    switch isEarly ? schedule.number(0...30) : schedule.number(0...99) {
    case 0..<8: befriend(client)
    case 8: unfriend(client)
    case 9..<12: acknowledge(client)
    case 12..<30 where !isEarly: competeInContext(client)
    default: compete(client)
    }
  }

  /// The time in which friends are made.
  var isEarly: Bool { stepsLeft * 5 > deployment.options.steps * 4 }

  func other(_ client: SimulatedClient) -> PlayerID {
    schedule.pick(clients.filter { $0 !== client && $0.hasSignedIn })?.player ?? client.player
  }

  func number(_ range: ClosedRange<Int64>) -> Int64 { schedule.number(range) }

  // MARK: Friends

  func befriend(_ client: SimulatedClient) {
    let invitation = schedule.pick(client.feed.all(FriendInvitation.self))
    guard let invitation, schedule.isChance(oneIn: 2) else {
      var invite = InviteFriend()
      invite.player =
        schedule.isChance(oneIn: 3)
        ? partner(of: client) ?? other(client) : otherOrErased(client)
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
      if mayBlock(client.player, block.player) {
        deployment.matchLog.willBlock(client.player, block.player)
        client.call(block)
      }
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

  /// Some pairs may block each other, and the others have contexts: when a block closes a context,
  /// only the service's own tests look at, for here nobody could say when the news has come.
  func mayBlock(_ one: PlayerID, _ other: PlayerID) -> Bool {
    let places = [one, other].map { player in clients.firstIndex { $0.player == player } ?? 0 }
    // The first one is whom floods are for.
    return !places.contains(0) && places[0] / 2 != places[1] / 2
      && (places[0] + places[1]) % 3 == 0
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

  // MARK: Contexts

  func context(_ client: SimulatedClient) {
    let invited = client.feed.all(ContextInvitation.self).map(\.info.context)
    let known = schedule.pick((contexts[client.player] ?? []) + invited)
    switch (number(0...9), known) {
    case (0, _):
      client.call(CreateSoloContext()) { [self] in note($0, client) }
    case (1...4, _), (_, nil): createContext(client, with: other(client))
    case (5...7, let context?):
      var enter = SwitchContext()
      enter.context = context
      client.call(enter)
    case (_, let context?):
      var leave = LeaveContext()
      leave.context = context
      self.leave(leave, client)
    }
  }

  func createContext(
    _ client: SimulatedClient, with player: PlayerID,
    ifNotReachable: @escaping () -> Void = {}
  ) {
    if mayBlock(client.player, player) { return }
    var create = CreatePairContext()
    create.player = player
    client.call(create) { [self] result in
      note(result, client)
      if case .failure(let failure) = result, failure.code == .notReachable { ifNotReachable() }
    }
  }

  private func note(_ result: Result<ContextInfo, Failure>, _ client: SimulatedClient) {
    if case .success(let info) = result {
      contexts[client.player, default: []].append(info.context)
    }
  }

  func acknowledge(_ client: SimulatedClient) {
    guard client.feed.through > 0 else { return }
    var acknowledge = Acknowledge()
    acknowledge.through = client.feed.through
    client.call(acknowledge)
  }
}
