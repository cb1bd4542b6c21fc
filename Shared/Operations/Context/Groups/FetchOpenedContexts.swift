public import Wire

/// A fact about a player, in the caller's game: how many contexts the player has opened that are
/// still kept, and how much of the player's budget of invitations to groups is left. It may be a
/// moment behind creating and closing.
public struct FetchOpenedContexts: FactQuestion {
  public static let opcode = Opcode(.context, 0x26)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  /// Counts of contexts.
  public struct Reply: Message {
    public var solos: UInt32 = 0
    /// Closed ones included for as long as they can be opened again.
    public var groups: UInt32 = 0
    /// When the budget of invitations is full, in milliseconds since 1970.
    public var invitationsFullAt: Int64 = 0
    /// Contexts into which the player has copied a turn-based game.
    public var forks: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("solos", &solos)
      visit.field("groups", &groups)
      visit.field("invitationsFullAt", &invitationsFullAt)
      visit.field("forks", &forks)
    }
  }
}
