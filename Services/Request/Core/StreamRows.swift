public import Domain
public import Wire

/// The ends of a player's event stream.
public struct StreamRow: Row {
  public static let tableID: UInt16 = 22
  public static let tableName = "stream"
  public var key = PlayerID()
  /// The sequence number of the last event; 0 before the first.
  public var newest: UInt64 = 0
  /// The oldest event that is still kept.
  public var oldest: UInt64 = 1
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("newest", &newest)
    visit.field("oldest", &oldest)
  }
}

public struct EventKey: Message, Hashable {
  public var player = PlayerID()
  public var sequence: UInt64 = 0
  public init() {}
  public init(player: PlayerID, sequence: UInt64) {
    self.player = player
    self.sequence = sequence
  }
  public static var isFrozen: Bool { true }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("sequence", &sequence)
  }
}

/// One event of a stream. Cold: whoever is connected had it pushed, the others read it once.
public struct EventRow: Row {
  public static let tableID: UInt16 = 23
  public static let tableName = "event"
  public var key = EventKey()
  public var id = EventID()
  public var game = ""
  public var time: Int64 = 0
  public var kind: UInt16 = 0
  public var body = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("id", &id)
    visit.field("game", &game)
    visit.field("time", &time)
    visit.field("kind", &kind)
    visit.field("body", &body)
  }
}
