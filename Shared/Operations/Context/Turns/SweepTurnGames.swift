public import Wire

/// A timer's: removes the rows of the context's games up to `through`, a step at a time.
///
/// Cost: up to 32 rows of each table.
public struct SweepTurnGames: Operation {
  public static let opcode = Opcode(.context, 0x5B)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var through: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("through", &through)
  }
}
