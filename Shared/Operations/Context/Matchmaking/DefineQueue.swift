public import Wire

/// Sent by an operator or a game's server: declares the queue of a player group of the caller's
/// game, or changes it.
///
/// On the wire its fields are those of the definition. Tickets that wait keep their places. Each
/// ticket that comes brings a few of them under the new declaration; those that do not fit it are
/// matched with each other only. `RemoveQueue` takes the declaration back.
///
/// Errors: `requiredArgument` (playerGroup), `invalidArgument` (the field's name), `limitReached`
/// when tickets of `MatchmakingLimits.versionsMax` declarations wait. Cost: one row.
public struct DefineQueue: Operation {
  public static let opcode = Opcode(.context, 0x70)
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var definition = QueueDefinition()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    definition.fields(&visit)
  }

  public var fault: Failure? { definition.fault }

  public struct Reply: Message {
    public var change = DefinitionChange()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("change", &change)
    }
  }
}
