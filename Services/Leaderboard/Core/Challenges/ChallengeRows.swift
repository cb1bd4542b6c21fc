import Domain
import Operations
import Wire

struct OpenChallengeKey: RowKey {
  var boardKey = RoutingKey()
  var challenge = ChallengeID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("challenge", &challenge)
  }
}

/// An open challenge at its board, which decides how it ends.
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

struct PlayerChallengeKey: RowKey {
  var player = PlayerID()
  var challenge = ChallengeID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("challenge", &challenge)
  }
}

/// A challenge in the list of its receiver or its issuer. An achievement challenge lives in its
/// receiver's list; every other row is a copy.
struct PlayerChallengeRow: Row {
  static let tableID: UInt16 = 19
  static let tableName = "player_challenge"
  var key = PlayerChallengeKey()
  var game = ""
  var challenge = Challenge()
  /// When it ended, as far as the list knows, in milliseconds since 1970; 0 while it is open.
  var endedOn: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    challenge.fields(&visit)
    visit.field("endedOn", &endedOn)
  }
}

struct CompletedChallengeKey: RowKey {
  var boardKey = RoutingKey()
  /// Who completed it.
  var player = PlayerID()
  /// The board's number of the attempt that did.
  var attempt: UInt64 = 0
  var challenge = ChallengeID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("completedBy", &attempt)
    visit.field("challenge", &challenge)
  }
}

/// A completed score challenge at its board, in the store only. It opens again when the attempt
/// that completed it is removed. The rows of one player are in the order of the attempts. After
/// `completedChallengeKept` the completion is final, and the row is removed.
struct CompletedChallengeRow: Row {
  static let tableID: UInt16 = 45
  static let tableName = "completed_challenge"
  var key = CompletedChallengeKey()
  var completionDate: Int64 = 0
  /// As it was before its completion.
  var challenge = Challenge()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("completedOn", &completionDate)
    challenge.fields(&visit)
  }
}

struct PreferenceKey: RowKey {
  var player = PlayerID()
  var game = RoutingKey()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("gameKey", &game)
  }
}

/// A player who wants beaten challenges issued back; whoever does not has no row.
struct ChallengePreferenceRow: Row {
  static let tableID: UInt16 = 50
  static let tableName = "challenge_preference"
  var key = PreferenceKey()
  var game = ""
  var issuingBackSince: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("issuingBackSince", &issuingBackSince)
  }
}
