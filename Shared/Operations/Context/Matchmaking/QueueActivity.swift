public import Wire

/// Sent by a player: returns how much goes on in a player group's queue.
///
/// Errors: `requiredArgument` and `invalidArgument` (playerGroup). Changes nothing; costs a look at
/// ten minutes' counts.
public struct QueueActivity: Operation {
  public static let opcode = Opcode(.context, 0x74)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var playerGroup = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerGroup", &playerGroup)
  }

  public var fault: Failure? { PlayerGroup.fault(of: playerGroup) }

  public struct Reply: Message {
    public var waitingPlayers: UInt32 = 0
    public var waitingTickets: UInt32 = 0
    /// Players who were matched in the last ten minutes.
    public var matchedPlayers: UInt32 = 0
    public var waits = QueueWaits()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("waitingPlayers", &waitingPlayers)
      visit.field("waitingTickets", &waitingTickets)
      visit.field("matchedPlayers", &matchedPlayers)
      visit.field("waits", &waits)
    }
  }
}
