public import Wire

/// Sent by a player: returns one of the caller's contexts, or one to which the caller is invited,
/// with all its players and its `details`: linked boards, open challenges and the linked match.
///
/// Errors: `requiredArgument` (context), `notFound` as with `SwitchContext`. Changes nothing; one
/// look in memory.
public struct GetContext: Operation {
  public static let opcode = Opcode(.context, 0x14)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }
}
