import Domain
import Operations
import Wire

/// Names something of one game: a move, a round, an exchange, and whose it is. All rows of a game
/// stand side by side in their table, and the games of a context in order.
struct TurnKey: RowKey {
  var context = ContextID()
  var number: UInt32 = 0
  /// The move's index, the version of a state, the round or the exchange.
  var item: UInt64 = 0
  /// `TurnStatePlace.publicSeat` for what is nobody's own.
  var seat = TurnStatePlace.publicSeat

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("item", &item)
    visit.field("seat", &seat)
  }
}

/// Rows of one game, which go when it does.
protocol TurnGameItem: Row where Key == TurnKey {}

/// A move, and the position after it. Index 0 is the start.
struct TurnMoveRow: TurnGameItem {
  static let tableID: UInt16 = 33
  static let tableName = "turn_move"
  var key = TurnKey()
  var player = PlayerID()
  var kind = TurnMoveKind()
  var time: Int64 = 0
  var version: UInt64 = 0
  /// Of a sealed move.
  var round: UInt32 = 0
  var payload = Bytes()
  var position = TurnPosition()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("kind", &kind)
    visit.field("time", &time)
    visit.field("version", &version)
    visit.field("round", &round)
    visit.field("payload", &payload)
    visit.field("position", &position)
  }
}

/// What an undo or a fork brings back.
struct TurnPosition: Message, Hashable {
  var queue: [UInt8] = []
  var clocks: [Int64] = []
  var round: UInt32 = 0
  var stateVersion: UInt64 = 0
  var hiddenVersions: [UInt64] = []

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("clocks", &clocks)
    visit.field("round", &round)
    visit.field("state_version", &stateVersion)
    visit.field("hidden_versions", &hiddenVersions)
  }
}

/// A public state, or a hidden one of `player`, as a version left it.
struct TurnStateRow: TurnGameItem {
  static let tableID: UInt16 = 34
  static let tableName = "turn_state"
  var key = TurnKey()
  /// Nil for the public state.
  var player = PlayerID()
  var bytes = Bytes()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("bytes", &bytes)
  }
}

/// A move for a round that is not revealed.
struct TurnSealedRow: TurnGameItem {
  static let tableID: UInt16 = 35
  static let tableName = "turn_sealed"
  var key = TurnKey()
  var player = PlayerID()
  var time: Int64 = 0
  var payload = Bytes()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("time", &time)
    visit.field("payload", &payload)
  }
}

/// A player's conditional moves, in one row, whose item is 0.
struct TurnLinesRow: TurnGameItem {
  static let tableID: UInt16 = 36
  static let tableName = "turn_lines"
  var key = TurnKey()
  var player = PlayerID()
  var lines: [ConditionalLine] = []

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("lines", &lines)
  }
}

/// What a player says in an exchange.
struct TurnWordsRow: TurnGameItem {
  static let tableID: UInt16 = 37
  static let tableName = "turn_words"
  var key = TurnKey()
  var player = PlayerID()
  var payload = Bytes()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("payload", &payload)
  }
}

/// A game that ended before the context's last one began.
struct FinishedTurnGameRow: TurnGameItem {
  static let tableID: UInt16 = 38
  static let tableName = "turn_game_finished"
  var key = TurnKey()
  var game = TurnGameRow()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
  }
}

/// A game in a player's list.
struct TurnListRow: Row {
  static let tableID: UInt16 = 39
  static let tableName = "turn_list"
  /// `RecordTurnGame` removes the row before it.
  static var isWrittenOnce: Bool { true }
  var key = TurnListKey()
  var number: UInt32 = 0
  var isInvited = false

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("number", &number)
    visit.field("is_invited", &isInvited)
  }
}

struct TurnListKey: RowKey {
  var player = PlayerID()
  var game = ""
  /// `waiting` before `running`.
  var state = TurnListState()
  var since: Int64 = 0
  var context = ContextID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("game", &game)
    visit.field("state", &state)
    visit.field("since", &since)
    visit.field("context", &context)
  }
}
