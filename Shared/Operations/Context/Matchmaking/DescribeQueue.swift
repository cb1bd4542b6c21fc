public import Wire

/// Returns what is declared of a player group's queue, or the rules that hold without a
/// declaration.
///
/// Errors: `requiredArgument` and `invalidArgument` (playerGroup). Changes nothing; one look in
/// memory.
public struct DescribeQueue: Operation {
  public static let opcode = Opcode(.context, 0x75)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var playerGroup = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerGroup", &playerGroup)
  }

  public var fault: Failure? { PlayerGroup.fault(of: playerGroup) }

  public struct Reply: Message {
    public var definition = QueueDefinition()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("definition", &definition)
    }
  }
}
