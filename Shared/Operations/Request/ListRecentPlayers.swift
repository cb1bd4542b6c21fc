public import Wire

/// Sent by a player: returns whom the caller has last met in this game's matches and contexts, who
/// came last first. Each is there once, with the profile of now. Players who block the caller, whom
/// the caller blocks and who were erased are left out, so that a page may have fewer.
///
/// Errors: `invalidArgument` (limit outside 1...`RecentPlayerLimits.pageMax`; cursor that is not of
/// this list). Cost: one cold row, and a fact from each player of the page, side by side.
public struct ListRecentPlayers: Operation {
  public static let opcode = Opcode(.request, 0x88)
  public static var isReadOnly: Bool { true }
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public var limit: UInt32 = 25
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? {
    if (1...UInt32(RecentPlayerLimits.pageMax)).contains(limit) { return nil }
    return Failure(
      .invalidArgument, argument: "limit",
      "A page holds 1 to \(RecentPlayerLimits.pageMax) players.")
  }

  public struct Reply: Message {
    public var players: [RecentPlayer] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("players", &players)
      visit.field("cursor", &cursor)
    }
  }
}

/// A player whom another one has met.
public struct RecentPlayer: Message, Hashable {
  public var profile = Profile()
  /// When the two last came together, in milliseconds since 1970.
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("profile", &profile)
    visit.field("time", &time)
  }
}

/// The limits of the players that a player has met.
public enum RecentPlayerLimits {
  /// Players that are kept in each game; the one who was met longest ago makes room.
  public static let keptMax = 100
  public static let pageMax = 50
  /// Players of a large group who are told of one that comes: those who were added last.
  public static let toldMax = 32
}
