public import Wire

/// Sent by a player of a match: passes opaque bytes on to other players, who get `MatchData`. The
/// service keeps nothing. It drops data for a player who is not connected, and for a client that
/// has lost its seat; the sender's client repeats reliable data that was not acknowledged. A
/// repeated call sends again, and the receiver's client drops what it has by its number.
///
/// Errors: `requiredArgument` (context; receivers where the data is reliable),
/// `invalidArgument` (payload, receivers), `notAllowed` (the caller is not in the match, or another
/// client has the seat), `matchEnded`, `conflict` (the service or the connection started again:
/// join first). Cost: one push for each receiver, nothing is stored.
public struct SendMatchData: Operation {
  public static let opcode = Opcode(.context, 0x32)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public static var isLive: Bool { true }
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The seat value of the client that sends.
  public var seat: UInt64 = 0
  /// Who gets the data; for unreliable data, an empty list stands for all other players.
  public var receivers: [MatchReceiver] = []
  public var isReliable = false
  /// Whether the message goes on in the next reliable data to the same receiver.
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
  /// The seat value of the client that the data is numbered for.
  public var seat: UInt64 = 0
  /// The number of the data. Numbers count from 1 for each pair of sending and receiving client,
  /// and separately for reliable and unreliable data.
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
