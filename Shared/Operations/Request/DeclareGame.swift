public import Wire

/// Sent by an operator: declares the game that the operator has signed in for. Players can sign in
/// to declared games alone, and only those have credentials for their servers.
///
/// Declaring a game again changes nothing.
///
/// Errors: `requiredArgument` (game, when the operator has signed in for none). Cost: one row.
public struct DeclareGame: Operation {
  public static let opcode = Opcode(.request, 0x60)
  public static var access: Access { .deploymentOperator }
  public static var routing: Routing { .game }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var change = DefinitionChange()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("change", &change)
    }
  }
}
