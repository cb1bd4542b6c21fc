public import Wire

/// The name of a timer: the key that it is for, the operation that it applies there, and which of
/// the key's things it is about.
///
/// Of a fixed size, so that a million of them take little memory.
public struct TimerKey: RowKey {
  public var key = RoutingKey()
  public var opcode: UInt16 = 0
  /// Nil where one key has one timer of the operation.
  public var item = RoutingKey()
  public init() {}
  public init(_ opcode: Opcode, on key: RoutingKey, item: RoutingKey = RoutingKey()) {
    self.key = key
    self.opcode = opcode.rawValue
    self.item = item
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("opcode", &opcode)
    visit.field("item", &item)
  }
}

/// A timer that has not fired. Cold: its name and time are in memory, the rest is read when it
/// fires.
public struct TimerRow: Row {
  public static let tableID: UInt16 = 7
  public static let tableName = "timer"
  public var key = TimerKey()
  /// Milliseconds since 1970.
  public var due: Int64 = 0
  public var game = ""
  public var body = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("due", &due)
    visit.field("game", &game)
    visit.field("body", &body)
  }
}

/// A timer that was taken to fire. What it applies is in its row, or in the request that it fires
/// with.
public struct FiringTimer: Equatable, Sendable {
  public let key: TimerKey
  /// Numbers the takes: a timer may be set anew and taken again while an earlier take is under way.
  let take: UInt64
  /// True until its row is read; false for a timer in memory alone.
  var isUnread: Bool

  /// Where the row is that has still to be read.
  public var unreadRow: ColdRange? {
    isUnread ? .row(TimerRow.self, key) : nil
  }

  /// Each firing begins a trace: the call of long ago that has set the timer would tell nothing of
  /// it, and its row need not hold one. It follows from what fires, so no random number is drawn.
  ///
  /// - Parameter incarnation: the life of the store, in which takes are numbered.
  func trace(in incarnation: UInt64) -> TraceID {
    var trace = TraceID(high: incarnation, low: take)
    for part in [key.key.high, key.key.low, key.item.high, key.item.low, UInt64(key.opcode)] {
      trace.high = (trace.high ^ part) &* 0x9e37_79b9_7f4a_7c15
      trace.low = (trace.low ^ part ^ trace.high >> 32) &* 0xbf58_476d_1ce4_e5b9
    }
    // The products leave the differences of the last part in the high bits.
    trace.high ^= trace.high >> 32
    trace.low = max(1, trace.low ^ trace.low >> 29)
    return trace
  }
}

/// What a command does to a timer of its key.
public struct TimerChange: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case set(due: Int64, game: String, body: [UInt8], isKept: Bool)
    case cancel
  }
  public var key: TimerKey
  public var kind: Kind
}
