public import Wire

/// A timer's: tells the next 64 contexts of a player that the player is not new to the game any
/// more.
///
/// Cost: an effect for each of these contexts, and a timer where there are more.
public struct TellFirstSession: Operation {
  public static let opcode = Opcode(.context, 0x2C)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var player = PlayerID()
  /// Where the step before has ended, in the order of the player's list.
  public var time: Int64 = 0
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("time", &time)
    visit.field("context", &context)
  }
}
