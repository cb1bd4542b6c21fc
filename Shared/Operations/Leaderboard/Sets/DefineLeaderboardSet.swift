public import Wire

/// An operator or a game's server declares a set of the caller's game's boards, or changes it.
///
/// On the wire its fields are the definition's own. Declaring it again as it is changes nothing. The
/// boards are in the order in which players see them; a board may be in several sets, and may be
/// declared after them.
///
/// Errors: `requiredArgument` (set, boards, game), `invalidArgument` (the field's name),
/// `limitReached` (boards; set, when the game has as many as it may have). Cost: one row, and an
/// effect for each board of which the game has not heard.
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

  public struct Reply: Message {
    public var change = DefinitionChange()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("change", &change)
    }
  }
}
