public import Wire

/// Sent by an operator or a game's server: declares a set of boards of the caller's game, or
/// changes it.
///
/// On the wire its fields are those of the definition. Declaring a set again without a difference
/// changes nothing. A board may be in several sets, and may be declared after them.
///
/// Errors: `requiredArgument` (set, boards, game), `invalidArgument` (the field's name),
/// `limitReached` (boards; set, when the game has as many as it may have). Cost: one row, and an
/// effect for each board whose title the game does not know.
public struct DefineLeaderboardSet: Operation {
  public static let opcode = Opcode(.leaderboard, 0x50)
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .game }
  public var definition = LeaderboardSetDefinition()
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
