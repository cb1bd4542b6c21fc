public import Wire

/// A timer's, at the key of a game that is forked: sends the next moves to the fork.
///
/// Cost: reads 8 moves; one effect.
public struct CopyFork: Operation {
  public static let opcode = Opcode(.context, 0x5C)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var fork = ContextID()
  public var number: UInt32 = 0
  public var from: UInt32 = 0
  public var through: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("fork", &fork)
    visit.field("number", &number)
    visit.field("from", &from)
    visit.field("through", &through)
  }
}
