public import Wire

/// An effect of a match or a context: `player` has met others in the caller's game.
///
/// Errors: none; it is dropped if the player does not exist, or has no session in the game. Cost:
/// one cold row.
public struct RecordRecentPlayers: Operation {
  public static let opcode = Opcode(.request, 0x87)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  /// No more than `RecentPlayerLimits.toldMax`; `player` itself is passed over.
  public var others: [PlayerID] = []
  /// When they came together, in milliseconds since 1970.
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("others", &others)
    visit.field("time", &time)
  }
}
