public import Wire

/// A timer's: removes a context that has been closed for long enough, so that it cannot be opened
/// again, with its match. A matched context goes also while players are in it: when nobody plays
/// and nothing has happened in it for as long, or 36 times as long where a turn-based game is
/// not over. It disappears from their lists, untold.
///
/// Cost: one context row, at most one match row, one effect, and one for each player.
public struct ForgetContext: Operation {
  public static let opcode = Opcode(.context, 0x2F)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  /// Of the context when it was closed.
  public var generation: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("generation", &generation)
  }
}
