import Domain
import Operations
import Wire

/// A board's definition.
struct BoardRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "board"
  var key = RoutingKey()
  var game = ""
  var definition = LeaderboardDefinition()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    definition.fields(&visit)
  }
}

struct EntryKey: Message, Hashable {
  var boardKey = RoutingKey()
  var player = PlayerID()
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
  }
}

/// A player's aggregate on a board.
struct EntryRow: Row {
  static let tableID: UInt16 = 17
  static let tableName = "entry"
  var key = EntryKey()
  var value: Int64 = 0
  var context: UInt64 = 0
  var date: Int64 = 0
  /// The board's order of arrival, which decides between equal values.
  var arrival: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("date", &date)
    visit.field("arrival", &arrival)
  }
}

struct OpenChallengeKey: Message, Hashable {
  var boardKey = RoutingKey()
  var challenge = ChallengeID()
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("challenge", &challenge)
  }
}

/// An open challenge at its board, which alone decides what becomes of it.
struct OpenChallengeRow: Row {
  static let tableID: UInt16 = 18
  static let tableName = "open_challenge"
  var key = OpenChallengeKey()
  /// The board's order of arrival.
  var arrival: UInt64 = 0
  var challenge = Challenge()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("arrival", &arrival)
    challenge.fields(&visit)
  }
}

struct PlayerChallengeKey: Message, Hashable {
  var player = PlayerID()
  var challenge = ChallengeID()
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("challenge", &challenge)
  }
}

/// A challenge in its receiver's or its issuer's list, as told by the board.
struct PlayerChallengeRow: Row {
  static let tableID: UInt16 = 19
  static let tableName = "player_challenge"
  var key = PlayerChallengeKey()
  var game = ""
  var challenge = Challenge()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    challenge.fields(&visit)
  }
}
