import Domain
import Operations
import Wire

struct PreferenceKey: Message, Hashable {
  var player = PlayerID()
  var game = RoutingKey()
  static var isFrozen: Bool { true }
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
