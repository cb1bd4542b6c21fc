public import Wire

/// Sent by an operator or a game's server: declares a board of the caller's game, or changes it.
///
/// On the wire its fields are those of the definition. Declaring a board again without a difference
/// changes nothing. Title, limits and format may change at any time; new limits hold for later
/// attempts only.
///
/// Errors: `requiredArgument` (board, game); `invalidArgument` (the field's name); `conflict` (the
/// field's name) when sort order, aggregation, tie rule, recurrence or linked context would change
/// on a board that has entries or open challenges (`ReRankLeaderboard` changes the first three), or
/// when windows are switched on again that are not empty yet; `conflict` (board) for a change of
/// these while the board is being re-ranked. Cost: one row, and an effect on the game when the
/// title is new.
public struct DefineLeaderboard: Operation {
  public static let opcode = Opcode(.leaderboard, 0x10)
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var definition = LeaderboardDefinition()
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

/// What a declaration has changed.
public struct DefinitionChange: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unchanged = Self(rawValue: 0)
  public static let created = Self(rawValue: 1)
  public static let updated = Self(rawValue: 2)

  public static let names = ["unchanged", "created", "updated"]
}
