public import Wire

/// Sent by an operator or a game's server: takes the declaration of a player group's queue back.
/// The group then has the queue of one without a declaration. Tickets that wait stay in their
/// places: they go over to its rules as after any change of a declaration, see `DefineQueue`, and
/// nobody is told.
///
/// Errors, in this order: `requiredArgument` and `invalidArgument` (playerGroup), `notFound`
/// (playerGroup) when none is declared, `limitReached` as for `DefineQueue`. Cost: one row, until
/// the group is empty.
public struct RemoveQueue: Operation {
  public static let opcode = Opcode(.context, 0x8D)
  public typealias Reply = Empty
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var playerGroup = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerGroup", &playerGroup)
  }

  public var fault: Failure? { PlayerGroup.fault(of: playerGroup) }
}
