public import Wire

/// A player who is erased. The row outlives what it is about: no call and no late effect brings the
/// player back.
public struct ErasureRow: Row {
  public static let tableID: UInt16 = 9
  public static let tableName = "erasure"
  public var key = PlayerID()
  public var standIn = PlayerID()
  /// Milliseconds since 1970.
  public var began: Int64 = 0
  /// When nothing was found any more; 0 until then.
  public var ended: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("standIn", &standIn)
    visit.field("began", &began)
    visit.field("ended", &ended)
  }

  var erasure: Erasure { Erasure(of: key, as: standIn) }
}

public enum ErasureLimits {
  /// Rows that one step looks at: some 0.2 ms of work, between which others are served.
  static let rowsPerStep = 256
  /// Between a pass that found something and the next one: effects that were under way arrive.
  static let againMilliseconds: Int64 = 1_000
}
