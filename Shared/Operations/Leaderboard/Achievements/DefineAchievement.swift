public import Wire

/// Sent by an operator or a game's server: declares an achievement of the caller's game, or changes
/// it. The progress of players stays.
///
/// On the wire its fields are those of the definition. Declaring an achievement again without a
/// difference changes nothing.
///
/// Errors: `requiredArgument` (achievement, game), `invalidArgument` (the field's name),
/// `limitReached` when the game has as many as it may have. Cost: one row.
public struct DefineAchievement: Operation {
  public static let opcode = Opcode(.leaderboard, 0x40)
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .game }
  public var definition = AchievementDefinition()
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
