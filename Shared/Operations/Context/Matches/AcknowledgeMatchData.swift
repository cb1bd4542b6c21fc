public import Wire

/// Sent by a player of a match: how far the client has received the reliable data of some senders.
/// Each sender that is connected gets a `MatchDataAcknowledged` within
/// `ContextLimits.matchReceiptMilliseconds`, together with what others have received of it, and
/// again for a repeated call. An acknowledgement of what was never sent moves nothing.
///
/// A client makes the call a little after data has come, for all senders at once. A player who does
/// not, although data for it is under way, is out of the match after the grace time.
///
/// Errors, in this order: `invalidArgument` (receipts), `requiredArgument` (context), and
/// `notAllowed`, `matchEnded`, `conflict` as with `SendMatchData`. Cost: a timer in memory for each
/// match.
public struct AcknowledgeMatchData: Operation {
  public static let opcode = Opcode(.context, 0x37)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public static var isLive: Bool { true }
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The seat value of the client that acknowledges.
  public var seat: UInt64 = 0
  /// As with `JoinMatch`.
  public var latencyMilliseconds: UInt32 = 0
  /// One for each sender, at most `ContextLimits.matchPlayersMax`.
  public var receipts: [MatchReceipt] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("seat", &seat)
    visit.field("latencyMilliseconds", &latencyMilliseconds)
    visit.field("receipts", &receipts)
  }
}

/// How far reliable data has come between two clients of a match.
public struct MatchReceipt: Message, Hashable {
  public static var isFrozen: Bool { true }
  /// The other client's place: the sender's in a call, the receiver's in an event.
  public var place: UInt8 = 0
  /// The other client's seat value.
  public var seat: UInt64 = 0
  /// All data up to this number has been received.
  public var through: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("place", &place)
    visit.field("seat", &seat)
    visit.field("through", &through)
  }

  public init(place: UInt8, seat: UInt64, through: UInt64) {
    self.place = place
    self.seat = seat
    self.through = through
  }
}
