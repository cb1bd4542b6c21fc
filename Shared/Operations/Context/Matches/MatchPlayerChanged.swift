public import Wire

/// Pushed to the other players of a match: a player has joined, come back, lost the connection,
/// left or been added. A second `connected` in a row means that data sent in between may be lost.
public struct MatchPlayerChanged: Event {
  public static let opcode = Opcode(.context, 0xE0)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public var player = PlayerID()
  /// The seat value of the client that has the player's seat; 0 when no client has it.
  public var seat: UInt64 = 0
  public var state = MatchPlayerState()
  /// Players who have not joined yet; at least 1 until the match begins, and 0 then.
  public var expectedPlayerCount: UInt32 = 0
  /// The player's place in the match.
  public var place: UInt8 = 0
  /// The version of the roster that begins with this change, one more than before. Who misses one
  /// joins again.
  public var roster: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("player", &player)
    visit.field("seat", &seat)
    visit.field("state", &state)
    visit.field("expectedPlayerCount", &expectedPlayerCount)
    visit.field("place", &place)
    visit.field("roster", &roster)
  }
}
