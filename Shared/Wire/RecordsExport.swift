/// Sent by an operator: reads what one process keeps about a player, a few rows at a time, wherever
/// it is kept (rule 7.3). `MusterClient.export` asks all processes until there is no more.
///
/// The rows are as they are when they are read: what changes meanwhile may be in the export as it
/// was before, or as it is after.
///
/// Errors: `requiredArgument` (player), `unavailable` (a stored row cannot be read). Cost: up to
/// `ExportLimits.rowsPerCall` rows.
public protocol RecordsExport: Operation where Reply == ExportedRecords {
  init()
  /// A key of the process that is asked.
  var key: RoutingKey { get set }
  var player: PlayerID { get set }
  var place: ExportPlace { get set }
}

extension RecordsExport {
  public static var access: Access { .deploymentOperator }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstIdentifier }

  public init(_ player: PlayerID, at key: RoutingKey, from place: ExportPlace = ExportPlace()) {
    self.init()
    self.player = player
    self.key = key
    self.place = place
  }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("place", &place)
  }

  public var fault: Failure? {
    if !player.isNil { return nil }
    return Failure(.requiredArgument, argument: "player", "Whose records are exported?")
  }
}

/// How far an export has come in one process; a new one is its beginning.
public struct ExportPlace: Message, Hashable {
  public var table: UInt16 = 0
  /// The encoded key of the last row that was looked at; empty at the table's beginning.
  public var after = Bytes()
  public init() {}
  public init(table: UInt16, after: [UInt8]) {
    self.table = table
    self.after = Bytes(after)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("table", &table)
    visit.field("after", &after)
  }
}

public struct ExportedRecords: Message {
  /// Those among the rows that were looked at; often none.
  public var records: [ExportedRecord] = []
  /// Nil when the process has been looked through.
  public var next: ExportPlace?
  /// Which process has answered, and of how many of its service; the first has the index 0.
  public var partitionIndex: UInt16 = 0
  public var partitionCount: UInt16 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("records", &records)
    visit.field("next", &next)
    visit.field("partitionIndex", &partitionIndex)
    visit.field("partitionCount", &partitionCount)
  }
}

/// A stored row that is about the player.
public struct ExportedRecord: Message, Hashable {
  public var table = ""
  /// True for what is kept for the player alone, all of which the player may see. Anything else is
  /// of others too: a board, a context, another player's list, the words of others.
  public var isOwn = false
  /// The row in JSON, by the names of its fields. An encoded message, such as the body of an event,
  /// is an object of one member, named like the message. All other bytes are in base 64.
  public var json = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("table", &table)
    visit.field("isOwn", &isOwn)
    visit.field("json", &json)
  }
}

public enum ExportLimits {
  /// So many rows take a service less than a millisecond, and a few where each is as large as a row
  /// gets.
  public static let rowsPerCall = 64
  /// A reply ends with the row by which it has as many bytes of JSON: with the largest row on top
  /// it is still a frame.
  public static let jsonBytesPerCall = 128 << 10
}
