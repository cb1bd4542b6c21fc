public import Wire

/// An operator or a game's server declares a board of the caller's game, or changes it.
///
/// On the wire its fields are the definition's own. Declaring a board again as it is changes nothing;
/// title, limits and format may change at any time (limits bind later attempts only).
///
/// Errors: `requiredArgument` (board, game), `invalidArgument` (the field's name), `conflict` when
/// sort order, aggregation or tie rule would change under entries or open challenges
/// (`ReRankLeaderboard` does that), recurrence or linked context likewise, when windows come back that
/// are not empty, or when something would while the board is ranked anew (board). Cost: one row, and
/// an effect on the game when the title is new.
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

  public struct Reply: Message {
    public var change = DefinitionChange()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("change", &change)
    }
  }
}

/// What declaring something did.
public struct DefinitionChange: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unchanged = Self(rawValue: 0)
  public static let created = Self(rawValue: 1)
  public static let updated = Self(rawValue: 2)

  public static let names = ["unchanged", "created", "updated"]
}
