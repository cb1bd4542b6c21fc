public import Wire

/// The caller has dealt with every event of its game up to `through`: a later session that names no
/// cursor begins after it. The cursor is shared by the player's devices, belongs to the game of the
/// session and never goes back; an older one is harmless.
///
/// Errors: `invalidArgument` (through: beyond the end of the stream). Cost: one row, and a bounded
/// number of old events that are forgotten.
public struct Acknowledge: Operation {
  public static let opcode = Opcode(.request, 0x40)
  public typealias Reply = Empty
  public var through: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("through", &through)
  }
}
