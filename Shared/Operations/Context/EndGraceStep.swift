public import Wire

/// A timer's: a player of the key's match whose connection is gone, and who did not come back in
/// time, has left it. A timer that comes more than half a second late begins a new grace time
/// instead: nobody could come back while the service stood still.
///
/// Cost: one row.
public struct EndGrace: Operation {
  public static let opcode = Opcode(.context, 0x34)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
