import Domain
import Operations
import Wire

/// The boards by their keys, and the rows of their rankings, which each board writes itself.
final class Boards: CorePart {
  private var boards: [RoutingKey: Board] = [:]
  let settings: SettingValues
  /// For recurring boards.
  var calendar: any RecurrenceCalendar = UTCCalendar()

  init(_ settings: SettingValues) { self.settings = settings }

  var all: Dictionary<RoutingKey, Board>.Values { boards.values }

  subscript(key: RoutingKey) -> Board? { boards[key] }

  /// Returns the board at a key, which is made with its first row, whatever that is.
  func board(at key: RoutingKey) -> Board {
    if let board = boards[key] { return board }
    let board = Board(key: key)
    boards[key] = board
    return board
  }

  /// The board that a call names.
  func board(_ name: String, _ call: Call) throws(Stop) -> Board {
    guard let board = boards[call.key], board.row.definition.board == name,
      board.row.game == call.game
    else {
      if name.isEmpty { throw .requiredArgument("board", "The board's name is missing.") }
      // What can be no board's name may be long, and is not repeated.
      throw .notFound(
        "board",
        LeaderboardName.fault(of: name) == nil
          ? "The game \"\(call.game)\" has no board \"\(name)\"."
          : "The game \"\(call.game)\" has no board of that name.")
    }
    return board
  }

  /// Returns the ranking that takes scores now or, between two occurrences, took them last.
  func currentStanding(of board: Board, _ now: Int64) throws(Stop) -> Board {
    try board.standing(ScorePeriod(), at: now, calendar)
  }

  func register(_ tables: inout Tables) {
    tables.resident(BoardRow.self, about: .nobody) { self.board(at: $0.key).row = $0 }
    // Rows mostly come board by board.
    var last: Board?
    tables.resident(EntryRow.self) { row in
      if last?.key != row.key.boardKey { last = self.board(at: row.key.boardKey) }
      last?.load(row.entry(of: row.key.player))
    }
    tables.resident(RankedEntryRow.self) { row in
      let board = self.board(at: row.key.boardKey)
      board.load(row.entry(of: row.key.player), of: row.key.generation)
    }
    tables.resident(OccurrenceRow.self, about: .nobody) {
      self.board(at: $0.key.boardKey).load($0)
    }
    tables.resident(OccurrenceEntryRow.self) { self.board(at: $0.key.boardKey).load($0) }
  }

  func loaded(_ transaction: inout Transaction) {
    for board in all { board.loaded(at: transaction.now) }
  }
}

/// Gaming contexts are another service's: who is in one is a fact that comes with the call. No
/// operation declares it, because only a board knows that it is linked to a context.
extension Boards {
  /// The board that a call names, when the caller may submit to it and see it.
  func openBoard(_ name: String, _ call: Call) throws(Stop) -> Board {
    let board = try board(name, call)
    if let context = board.definition.linkedContext, call.principal.kind == .player {
      _ = try participants(of: context, call)
    }
    return board
  }

  /// The board that a call names, for an answer to a challenge.
  ///
  /// On a linked board a score waits for a fact. An answer also waits for one, so that it does not
  /// overtake a score that the player sent before it. The fact is that the player exists, because a
  /// player who has left the context may answer too.
  func boardInOrder(_ name: String, _ call: Call) throws(Stop) -> Board {
    let board = try board(name, call)
    if board.definition.linkedContext != nil {
      _ = try call.fact(FetchPlayer.self, at: call.player)
    }
    return board
  }

  /// Returns the players of a context, the scope of a query.
  func participants(in context: ContextID, _ board: Board, _ call: Call) throws(Stop)
    -> [PlayerID]
  {
    guard call.principal.kind == .player
    else { throw .notAllowed("scope", "Only players are in contexts.") }
    if let linked = board.definition.linkedContext, linked != context {
      throw .invalidArgument("context", "The board is linked to another context.")
    }
    let players = try participants(of: context, call)
    guard players.count <= LeaderboardLimits.scopePlayerCountMax else {
      throw .limitReached(
        "context", "A scope has at most \(LeaderboardLimits.scopePlayerCountMax) players.")
    }
    return players
  }

  private func participants(of context: ContextID, _ call: Call) throws(Stop) -> [PlayerID] {
    let players = try call.fact(FetchParticipants.self, at: context).players
    // The context service has looked already; here it is a rule of the board.
    guard players.contains(call.player)
    else { throw .notFound("context", "You are in no context with this id.") }
    return players
  }
}
