public import Wire

/// Sent by a player: acknowledges every event of this game up to `through`. A later session that
/// names no cursor begins after it. The player's devices share the acknowledged cursor, which
/// belongs to the session's game and never goes back; acknowledging an older event is harmless.
///
/// Errors: `unavailable` (while the session is being restored after a restart of the service),
/// `invalidArgument` (through, when it is beyond the end of the stream). Cost: one row, and up to
/// `StreamLimits.settledMax` rows that count what was unread.
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
