import ContextCore
import Domain
import Operations
import TestKit
import Wire

typealias ContextDriver = CoreDriver<ContextCore>

/// Three players, all friends of each other.
let (ann, ben, cho) = (PlayerID.sample(1), PlayerID.sample(2), PlayerID.sample(3))

func pairKey(_ one: PlayerID, _ other: PlayerID, game: String = "game") -> RoutingKey {
  RoutingKey(game: game, name: "\(min(one, other)) \(max(one, other))")
}

extension ContextDriver {
  @discardableResult
  func createSolo(_ player: PlayerID, key: UInt64 = 1) throws -> ContextInfo {
    let info = try call(
      CreateSoloContext(), as: player, key: RoutingKey(high: 7, low: key))
    try deliverOwnEffects()
    return info
  }

  @discardableResult
  func createPair(
    _ player: PlayerID, with other: PlayerID, friends: [PlayerID]? = nil,
    isBlocked: Bool = false
  ) throws -> ContextInfo {
    var operation = CreatePairContext()
    operation.player = other
    var reply = FetchFriends.Reply()
    reply.friends = friends ?? [other]
    var asked = FetchPlayer.Reply()
    asked.isReachable = !isBlocked
    let info = try call(
      operation, as: player, key: pairKey(player, other),
      facts: Facts([
        Fact(FetchFriends.self, at: player, reply), Fact(FetchPlayer.self, at: other, asked),
      ]))
    try deliverOwnEffects()
    return info
  }

  @discardableResult
  func enter(_ context: ContextID, as player: PlayerID) throws -> ContextInfo {
    var operation = SwitchContext()
    operation.context = context
    let info = try call(operation, as: player)
    try deliverOwnEffects()
    return info
  }

  func leave(_ context: ContextID, as player: PlayerID) throws {
    var operation = LeaveContext()
    operation.context = context
    try call(operation, as: player)
    try deliverOwnEffects()
  }

  func get(_ context: ContextID, as player: PlayerID) throws -> ContextInfo {
    var operation = GetContext()
    operation.context = context
    return try call(operation, as: player)
  }

  func current(_ player: PlayerID) throws -> ContextID? {
    try call(CurrentContext(), as: player).context
  }

  func list(_ player: PlayerID, cursor: String = "", limit: UInt32 = 50) throws
    -> ListContexts.Reply
  {
    var operation = ListContexts()
    operation.cursor = cursor
    operation.limit = limit
    return try call(operation, as: player)
  }

  /// The events of one kind for the players' streams since the last look.
  func streamEvents<E: Event>(_ type: E.Type) throws -> [(player: PlayerID, event: E)] {
    try takeEffects(AppendEvent.self).filter { $0.operation.kind == E.opcode.rawValue }.map {
      ($0.operation.player, try E(decoding: $0.operation.body.array))
    }
  }

  /// A pair context that both are in.
  func pair(_ one: PlayerID = ann, _ other: PlayerID = ben) throws -> ContextID {
    let id = try createPair(one, with: other).context
    try enter(id, as: other)
    return id
  }

  /// The context of players whom matchmaking has put together, who are all in it.
  func matched(_ players: [PlayerID], context: ContextID = .sample(50)) throws -> ContextID {
    var open = OpenContext()
    open.context = context
    open.players = players.map { ContextPlayer(player: $0, role: .participant, state: .active) }
    try call(open, as: PlayerID(), kind: .service)
    try deliverOwnEffects()
    return context
  }

  @discardableResult
  func join(
    _ context: ContextID, as player: PlayerID, session: UInt64, seat: UInt64,
    number: UInt64 = 0, received: [MatchCursor] = [], startsNew: Bool = false,
    latency: UInt32 = 0
  ) throws -> JoinMatch.Reply {
    var operation = JoinMatch()
    operation.context = context
    operation.seat = seat
    operation.number = number
    operation.received = received
    operation.startsNew = startsNew
    operation.latencyMilliseconds = latency
    return try call(operation, as: player, session: session)
  }
}

/// The failure that `body` throws; nil when it throws none.
func failure(_ body: () throws -> Void) -> Failure? {
  do {
    try body()
    return nil
  } catch {
    return error as? Failure
  }
}
