import Domain
import LeaderboardCore
import Operations
import TestKit
import Wire

/// A leaderboard service with one game, and what its boards told players' streams.
final class World {
  let driver: CoreDriver<LeaderboardCore>
  /// The events appended so far, oldest first.
  var events: [(player: PlayerID, event: StreamedEvent)] = []

  /// - Parameter settings: without the least lifetime of a challenge among them, there is none.
  init(game: String = "game", seed: UInt64 = 1, settings: [NumberSetting: Int] = [:]) {
    driver = CoreDriver(
      game: game, seed: seed,
      settings: settings.merging([.challengeLifetimeMin: 0]) { one, _ in one }
    )
  }

  enum StreamedEvent: Equatable {
    case received(Challenge)
    case completed(ChallengeCompleted)
    case declined(Challenge)
    case expired(Challenge)
    case reopened(Challenge)
    case withdrawn(Challenge)
    case unknown(UInt16)
  }

  /// Delivers everything that boards asked of players' keys.
  func settle() throws {
    let failures = try driver.deliverOwnEffects()
    precondition(failures.isEmpty, "an effect was refused: \(failures)")
    for (key, operation) in try driver.takeEffects(AppendEvent.self) {
      precondition(key == RoutingKey(reinterpreting: operation.player))
      events.append((operation.player, try Self.event(operation)))
    }
  }

  /// What the player's devices were told to look at, and since the last look.
  func takeHints(of player: PlayerID) throws -> [ChallengeState] {
    try settle()
    let hints = try driver.takeHints(ChallengeListChanged.self)
    return hints.filter { $0.player == player }.map(\.event.state)
  }

  func takeEvents(of player: PlayerID) throws -> [StreamedEvent] {
    try settle()
    let taken = events.filter { $0.player == player }.map(\.event)
    events.removeAll { $0.player == player }
    return taken
  }

  private static func event(_ operation: AppendEvent) throws -> StreamedEvent {
    let body = operation.body.array
    switch operation.kind {
    case ChallengeReceived.opcode.rawValue:
      return .received(try ChallengeReceived(decoding: body).challenge)
    case ChallengeCompleted.opcode.rawValue:
      return .completed(try ChallengeCompleted(decoding: body))
    case ChallengeDeclined.opcode.rawValue:
      return .declined(try ChallengeDeclined(decoding: body).challenge)
    case ChallengeExpired.opcode.rawValue:
      return .expired(try ChallengeExpired(decoding: body).challenge)
    case ChallengeReopened.opcode.rawValue:
      return .reopened(try ChallengeReopened(decoding: body).challenge)
    case ChallengeWithdrawn.opcode.rawValue:
      return .withdrawn(try ChallengeWithdrawn(decoding: body).challenge)
    default: return .unknown(operation.kind)
    }
  }
}

// MARK: Calls

extension World {
  @discardableResult
  func define(
    _ board: String = "board", _ change: (inout LeaderboardDefinition) -> Void = { _ in }
  ) throws -> DefinitionChange {
    var operation = DefineLeaderboard()
    operation.definition.board = board
    change(&operation.definition)
    return try driver.call(operation, as: PlayerID(), kind: .gameServer).change
  }

  @discardableResult
  func submit(
    _ value: Int64?, as player: PlayerID, to board: String = "board", scoreTag: UInt64 = 0,
    eligible: [ChallengeID]? = nil, ticket: TicketID? = nil, key: IdempotencyKey? = nil
  ) throws -> SubmitScore.Reply {
    var operation = SubmitScore()
    operation.board = board
    operation.value = value
    operation.scoreTag = scoreTag
    operation.ticket = ticket
    if let eligible {
      operation.eligibility = .listed
      operation.eligibleChallenges = eligible
    }
    return try driver.call(operation, as: player, idempotency: key)
  }

  /// What a gateway attaches after the context service said who is in a context.
  func facts(of context: ContextID, _ players: [PlayerID], friends: [PlayerID] = []) -> Facts {
    var reply = FetchParticipants.Reply()
    reply.players = players
    let participants = Fact(FetchParticipants.self, at: context, reply)
    return Facts([participants] + players.flatMap { Self.friends(friends, of: $0).all })
  }

  /// What a gateway attaches after the request service said whether the caller may reach a player.
  static func isReachable(_ player: PlayerID, _ isReachable: Bool = true) -> Fact {
    var reply = FetchPlayer.Reply()
    reply.isReachable = isReachable
    return Fact(FetchPlayer.self, at: player, reply)
  }

  /// What a gateway attaches after the request service said who a player's friends are.
  ///
  /// - Parameter blocking: friends who block the player, whose list has not heard of it yet.
  static func friends(_ friends: [PlayerID], of player: PlayerID, blocking: [PlayerID] = [])
    -> Facts
  {
    var reply = FetchFriends.Reply()
    reply.friends = friends
    return Facts(
      [Fact(FetchFriends.self, at: player, reply)]
        + friends.map { isReachable($0, !blocking.contains($0)) })
  }

  func top(
    _ start: UInt32 = 1, _ count: UInt32 = 100, as player: PlayerID = PlayerID(),
    of board: String = "board", players: [PlayerID]? = nil, in period: ScorePeriod = ScorePeriod()
  ) throws -> ScorePage {
    var operation = TopScores()
    operation.board = board
    operation.start = start
    operation.count = count
    operation.period = period
    if let players {
      operation.scope = .players
      operation.players = players
    }
    return try driver.call(operation, as: player)
  }

  func friendScores(
    _ start: UInt32 = 1, _ count: UInt32 = 100, as player: PlayerID, friends: [PlayerID],
    of board: String = "board", in period: ScorePeriod = ScorePeriod()
  ) throws -> ScorePage {
    var operation = FriendScores()
    operation.board = board
    operation.period = period
    operation.start = start
    operation.count = count
    return try driver.call(operation, as: player, facts: Self.friends(friends, of: player))
  }

  func around(
    _ player: PlayerID?, _ count: UInt32, as caller: PlayerID, of board: String = "board",
    kind: PrincipalKind = .player
  ) throws -> ScorePage {
    var operation = ScoresAroundPlayer()
    operation.board = board
    operation.player = player
    operation.count = count
    return try driver.call(operation, as: caller, kind: kind)
  }

  func rank(
    of player: PlayerID, on board: String = "board", in period: ScorePeriod = ScorePeriod(),
    at date: Int64? = nil
  ) throws -> RankOfPlayer.Reply {
    var operation = RankOfPlayer()
    operation.board = board
    operation.period = period
    operation.date = date
    return try driver.call(operation, as: player)
  }

  @discardableResult
  func removeScore(
    of player: PlayerID, from board: String = "board", fallsBack: Bool = false,
    facts: Facts? = nil, key: IdempotencyKey? = nil
  ) throws -> LeaderboardEntry? {
    var operation = RemoveScore()
    operation.board = board
    operation.player = player
    operation.fallsBack = fallsBack
    return try driver.call(
      operation, as: PlayerID(), facts: facts ?? Facts([Self.isReachable(player)]),
      kind: .deploymentOperator, idempotency: key
    ).entry
  }

  func restrict(
    _ player: PlayerID, _ restriction: PlayerRestriction, on board: String = "board",
    facts: Facts? = nil
  ) throws {
    var operation = RestrictPlayer()
    operation.board = board
    operation.player = player
    operation.restriction = restriction
    try driver.call(
      operation, as: PlayerID(), facts: facts ?? Facts([Self.isReachable(player)]),
      kind: .gameServer)
  }

  func startRun(as player: PlayerID, on board: String = "board") throws -> StartRun.Reply {
    var operation = StartRun()
    operation.board = board
    return try driver.call(operation, as: player)
  }

  func rank(of value: Int64?, on board: String = "board", in period: ScorePeriod = ScorePeriod())
    throws -> [UInt32]
  {
    var operation = RankOfValue()
    operation.board = board
    operation.value = value
    operation.period = period
    let reply = try driver.call(operation, as: Players.ada)
    return [reply.better, reply.same, reply.worse]
  }

  func lesser(
    _ start: UInt32 = 1, _ count: UInt32 = 100, as player: PlayerID, friends: [PlayerID],
    of board: String = "board", in period: ScorePeriod = ScorePeriod()
  ) throws -> ScorePage {
    var operation = LesserScores()
    operation.board = board
    operation.start = start
    operation.count = count
    operation.period = period
    return try driver.call(operation, as: player, facts: Self.friends(friends, of: player))
  }

  /// The number of stored rows of a table.
  func rowCount(_ table: UInt16) -> Int { driver.rows[table]?.count ?? 0 }

  func issue(
    to receivers: [PlayerID], as issuer: PlayerID, friends: [PlayerID]? = nil,
    blocking: [PlayerID] = [],
    on board: String = "board", message: String = "beat me", lifetime: UInt64? = nil,
    value: Int64? = nil, scoreTag: UInt64 = 0, isAttempt: Bool = false,
    key: IdempotencyKey? = nil
  ) throws -> [ChallengeOutcome] {
    var operation = IssueScoreChallenge()
    operation.board = board
    operation.receivers = receivers
    operation.message = message
    operation.lifetimeMilliseconds = lifetime
    (operation.value, operation.scoreTag) = (value, scoreTag)
    operation.isAttempt = isAttempt
    return try driver.call(
      operation, as: issuer,
      facts: Self.friends(friends ?? receivers, of: issuer, blocking: blocking),
      idempotency: key
    ).outcomes
  }

  /// - Parameter facts: nil for what a gateway attaches on a linked board.
  func accept(
    _ challenge: ChallengeID, as player: PlayerID, on board: String = "board", facts: Facts? = nil
  ) throws {
    var operation = AcceptChallenge()
    operation.board = board
    operation.challenge = challenge
    try driver.call(operation, as: player, facts: facts ?? Facts([Self.isReachable(player)]))
  }

  func decline(
    _ challenge: ChallengeID, as player: PlayerID, on board: String = "board", facts: Facts? = nil
  ) throws {
    var operation = DeclineChallenge()
    operation.board = board
    operation.challenge = challenge
    try driver.call(operation, as: player, facts: facts ?? Facts([Self.isReachable(player)]))
  }

  /// The whole list, page by page.
  func received(by player: PlayerID, limit: UInt32 = 50) throws -> [Challenge] {
    try settle()
    return try pages { cursor in
      var operation = ReceivedChallenges()
      operation.cursor = cursor
      operation.limit = limit
      return try driver.call(operation, as: player)
    }
  }

  func issued(by player: PlayerID, limit: UInt32 = 50) throws -> [Challenge] {
    try settle()
    return try pages { cursor in
      var operation = IssuedChallenges()
      operation.cursor = cursor
      operation.limit = limit
      return try driver.call(operation, as: player)
    }
  }

  private func pages(_ page: (String) throws -> ChallengePage) throws -> [Challenge] {
    var all: [Challenge] = []
    var cursor = ""
    repeat {
      let next = try page(cursor)
      all += next.challenges
      cursor = next.cursor
    } while !cursor.isEmpty
    return all
  }
}

extension ScorePeriod {
  static let today = Self(.today, back: 0)
  static let week = Self(.week, back: 0)
  static func back(_ count: UInt32) -> Self { Self(.allTime, back: count) }

  init(_ timeScope: ScoreTimeScope, back: UInt32) {
    self.init()
    self.timeScope = timeScope
    occurrencesBack = back
  }
}
