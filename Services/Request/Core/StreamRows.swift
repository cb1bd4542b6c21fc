import Domain
import Operations
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
  /// Every event up to here is gone because of its age, whether it was read or not.
  var expired: UInt64 = 0
  /// When the oldest event may be too old, in milliseconds since 1970; 0 for no timer.
  var expires: Int64 = 0
  /// The lives of the store in which events were appended, the newest last; those before the first
  /// are forgotten.
  private(set) var lives: [StreamLife] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("newest", &newest)
    visit.field("oldest", &oldest)
    visit.field("newestEvent", &newestEvent)
    visit.field("swept", &swept)
    visit.field("readFrom", &readFrom)
    visit.field("readThrough", &readThrough)
    visit.field("removedThrough", &removedThrough)
    visit.field("lives", &lives)
    visit.field("expired", &expired)
    visit.field("expires", &expires)
  }

  /// Numbers one event more, and names it.
  mutating func add(_ id: EventID) {
    newest += 1
    newestEvent = id
    if lives.last?.incarnation == id.high { return }
    lives.append(StreamLife(incarnation: id.high, first: newest))
    if lives.count > StreamLife.keptMax { lives.removeFirst() }
  }

  /// Whether a place is one of this stream, also when its event is not kept any more: a store that
  /// was put back to a backup has given its numbers to other events since.
  ///
  /// Of lives that are forgotten it is known only that they began before the first one here.
  func has(_ place: StreamPlace) -> Bool {
    if place.sequence > newest { return false }
    if place.sequence == 0 || place.event.isNil { return true }
    if let life = lives.last(where: { $0.first <= place.sequence }) {
      return life.incarnation == place.event.high
    }
    return lives.first.map { place.event.high < $0.incarnation } ?? true
  }
}

/// The events that one life of the store has appended to a stream: those from a sequence number on
/// to the next life's. Its incarnation is the first half of their identifiers.
struct StreamLife: Message {
  /// A month of nightly restarts. A place in an undone life is refused for that long at least.
  static let keptMax = 32
  var incarnation: UInt64 = 0
  var first: UInt64 = 0
  init() {}
  init(incarnation: UInt64, first: UInt64) {
    self.incarnation = incarnation
    self.first = first
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("incarnation", &incarnation)
    visit.field("first", &first)
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
  /// Under which time a `PushQueueRow` of the event was put last; 0 for none.
  var pushDue: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("id", &id)
    visit.field("game", &game)
    visit.field("time", &time)
    visit.field("kind", &kind)
    visit.field("body", &body)
    visit.field("pushDue", &pushDue)
  }
}
