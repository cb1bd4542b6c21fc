public import Wire

/// Sent by a player of a match: passes opaque bytes on to others, who get `MatchData`. The service
/// keeps nothing: what is meant for a player who is not connected, or for a client that has lost
/// its seat, is dropped, and the sender's client repeats what is reliable and not acknowledged.
///
/// Errors: `requiredArgument` (contextToken; receivers where the data is reliable),
/// `invalidArgument` (payload, receivers), `notAllowed` (not in the match, or another client has
/// the seat), `matchEnded`, `conflict` (the service or the connection started again: join first).
/// Cost: one push for each receiver, nothing is stored.
public struct SendMatchData: Operation {
  public static let opcode = Opcode(.context, 0x32)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The sender's own.
  public var seat: UInt64 = 0
  /// Empty sends unreliable data to all others.
  public var receivers: [MatchReceiver] = []
  public var isReliable = false
  /// The message goes on in the next reliable data to the same receiver.
  public var isPartial = false
  /// At most `ContextLimits.matchPayloadSizeMax` bytes.
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("seat", &seat)
    visit.field("receivers", &receivers)
    visit.field("isReliable", &isReliable)
    visit.field("isPartial", &isPartial)
    visit.field("payload", &payload)
  }
}

/// One receiver of match data.
public struct MatchReceiver: Message, Hashable {
  public var player = PlayerID()
  /// The client that the data is numbered for.
  public var seat: UInt64 = 0
  /// Counts from 1 what this sender's client sends to that client, reliable and unreliable data
  /// each by themselves.
  public var sequence: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("seat", &seat)
    visit.field("sequence", &sequence)
  }

  public init(player: PlayerID, seat: UInt64, sequence: UInt64) {
    self.player = player
    self.seat = seat
    self.sequence = sequence
  }
}
