import Domain
import Wire

/// The ends of a player's event stream.
struct StreamRow: Row {
  static let tableID: UInt16 = 22
  static let tableName = "stream"
  var key = PlayerID()
  /// The sequence number of the last event; 0 before the first.
  var newest: UInt64 = 0
  /// The oldest event that is still kept.
  var oldest: UInt64 = 1
  /// The identifier of the last event.
  var newestEvent = EventID()
  /// Up to here every event was looked at for removal; those left were unread in their game then.
  var swept: UInt64 = 0
  /// Behind the first place, through the second, some have been read since; both 0 for none.
  var readFrom: UInt64 = 0
  var readThrough: UInt64 = 0
  /// The last event of no game that is not kept any more.
  var removedThrough: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("newest", &newest)
    visit.field("oldest", &oldest)
    visit.field("newestEvent", &newestEvent)
    visit.field("swept", &swept)
    visit.field("readFrom", &readFrom)
    visit.field("readThrough", &readThrough)
    visit.field("removedThrough", &removedThrough)
  }
}

struct EventKey: RowKey {
  var player = PlayerID()
  var sequence: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("sequence", &sequence)
  }
}

/// One event of a stream. Cold: whoever is connected had it pushed, the others read it once.
struct EventRow: Row {
  static let tableID: UInt16 = 23
  static let tableName = "event"
  var key = EventKey()
  var id = EventID()
  var game = ""
  var time: Int64 = 0
  var kind: UInt16 = 0
  var body = Bytes()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("id", &id)
    visit.field("game", &game)
    visit.field("time", &time)
    visit.field("kind", &kind)
    visit.field("body", &body)
  }
}
