public import Wire

/// An effect of a game on a board that a set of the game's names and of which the game has not heard: the
/// board answers with `RecordLeaderboard`, and not at all when it is not declared. So boards from before
/// there were sets come into theirs.
///
/// Errors: none. Cost: an effect.
public struct TellLeaderboardTitle: Operation {
  public static let opcode = Opcode(.leaderboard, 0x54)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var boardKey = RoutingKey()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
  }
}
