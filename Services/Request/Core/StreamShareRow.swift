import Domain
import Wire

/// Whose unread events are counted together: those of one sender, or of the game itself, in one
/// game.
struct ShareKey: RowKey, Comparable {
  var player = PlayerID()
  var game = ""
  /// Nil for the game itself.
  var sender = PlayerID()
  static func < (left: Self, right: Self) -> Bool {
    (left.player, left.game, left.sender) < (right.player, right.game, right.sender)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("game", &game)
    visit.field("sender", &sender)
  }
}

/// Events that were appended one after the other, and count as unread until the last of them is
/// read.
struct UnreadRun: Message {
  var last: UInt64 = 0
  var count: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("last", &last)
    visit.field("count", &count)
  }
}

/// How many events of one share a player has not read. There is a row only for a player who is
/// behind: whoever keeps up costs nothing.
///
/// Events are counted in a few runs, since which of them are read is known by their number alone.
/// So the count is too high by one run at most. Events of no game that all games have read are not
/// counted for one that the player signs in to later.
struct StreamShareRow: Row {
  static let tableID: UInt16 = 25
  static let tableName = "stream_share"
  var key = ShareKey()
  private(set) var runs: [UnreadRun] = []
  /// Events that were dropped since the last `EventsDropped`.
  var dropped: UInt64 = 0
  /// Where the last `EventsDropped` stands; 0 before the first.
  var marker: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("runs", &runs)
    visit.field("dropped", &dropped)
    visit.field("marker", &marker)
  }

  /// The events of the share behind the read ones.
  func unread(after read: UInt64) -> UInt64 {
    runs.reduce(0) { $1.last > read ? $0 + $1.count : $0 }
  }

  /// Counts an event that was appended.
  mutating func add(_ sequence: UInt64, runMax: UInt64, read: UInt64) {
    runs.removeAll { $0.last <= read }
    if let last = runs.indices.last, runs[last].count < runMax {
      runs[last].last = sequence
      runs[last].count += 1
    } else {
      var run = UnreadRun()
      (run.last, run.count) = (sequence, 1)
      runs.append(run)
    }
  }

  /// Whether the row says nothing any more.
  func isSettled(read: UInt64) -> Bool {
    dropped == 0 && marker <= read && unread(after: read) == 0
  }
}
