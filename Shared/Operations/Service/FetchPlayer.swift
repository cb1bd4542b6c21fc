public import Wire

/// A fact about a player: whether the caller of the call that needs it may reach `player`, and is a
/// friend.
public struct FetchPlayer: FactQuestion {
  public static let opcode = Opcode(.request, 0x06)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public struct Reply: Message {
    /// True when there is such a player, who does not block the caller. Which of the two it is not,
    /// nobody learns.
    public var isReachable = false
    /// Whether a reachable player never had a session in the caller's game.
    public var isNew = false
    /// When this was so, by the clock that the player's own blocks are dated by; milliseconds since
    /// 1970.
    public var time: Int64 = 0
    /// Whether the caller is a friend of a reachable player, as the player's own list has it.
    public var isFriend = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isReachable", &isReachable)
      visit.field("isNew", &isNew)
      visit.field("time", &time)
      visit.field("isFriend", &isFriend)
    }
  }
}
