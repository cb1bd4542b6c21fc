public import Wire

/// Sent by a player: acknowledges every event of this game up to `through`, for this device. A
/// later session of the device that names no cursor begins after it. Each device of a player has a
/// place of its own in each game, which never goes back; acknowledging an older event is harmless.
/// A new device begins where the player's furthest one is. An event may be removed once all devices
/// have acknowledged it that have not been signed out, and is removed when it is too old.
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
