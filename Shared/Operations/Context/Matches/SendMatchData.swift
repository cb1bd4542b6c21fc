public import Wire

/// Sent by a player of a match: passes opaque bytes on to other players, who get `MatchData`. The
/// service keeps nothing. It drops data for a player who is not connected, for a client that came
/// later than the `roster` that the sender knew of, and what is far beyond
/// `ContextLimits.matchWindowSizeMax`; the sender's client repeats reliable data that was not
/// acknowledged. A repeated call sends again, and the receiver's client drops what it has by its
/// number.
///
/// Errors, in this order: `invalidArgument` (payload), `requiredArgument` (context), `notAllowed`
/// (the caller is not in the match), `matchEnded`, `conflict` (the service started again: join
/// first), `notAllowed` (another client has the seat), `conflict` (the connection is another one:
/// join first), `notOpen` (players are expected before the match begins), `invalidArgument`
/// (receivers, exceptions). Cost: one push, encoded once however many get it; nothing is stored.
public struct SendMatchData: Operation {
  public static let opcode = Opcode(.context, 0x36)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public static var isLive: Bool { true }
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The seat value of the client that sends.
  public var seat: UInt64 = 0
  /// The newest version of the roster that the sender knows: the numbers are for the clients that
  /// had their seats then.
  public var roster: UInt32 = 0
  /// The places of those who get the data, the lowest bit for place 0; 0 stands for all others.
  public var receivers: UInt16 = 0
  public var isReliable = false
  /// Whether the message goes on in the next reliable data to the same receivers; all of it has at
  /// most `ContextLimits.matchMessageSizeMax` bytes.
  public var isPartial = false
  /// The number of the data. Reliable data is numbered from 1 for each match and pair of a sending
  /// and a receiving client; unreliable data for each sending client, whoever gets it.
  public var sequence: UInt64 = 0
  /// The receivers for whom reliable data has another number than `sequence`, each named once.
  public var exceptions: [MatchNumber] = []
  /// At most `ContextLimits.matchPayloadSizeMax` bytes.
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("seat", &seat)
    visit.field("roster", &roster)
    visit.field("receivers", &receivers)
    visit.field("isReliable", &isReliable)
    visit.field("isPartial", &isPartial)
    visit.field("sequence", &sequence)
    visit.field("exceptions", &exceptions)
    visit.field("payload", &payload)
  }
}

/// The number of a piece of reliable data for one of its receivers.
public struct MatchNumber: Message, Hashable {
  public static var isFrozen: Bool { true }
  public var place: UInt8 = 0
  public var sequence: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("place", &place)
    visit.field("sequence", &sequence)
  }

  public init(place: UInt8, sequence: UInt64) {
    self.place = place
    self.sequence = sequence
  }
}

extension [MatchNumber] {
  /// The number for the receiver at a place, if that is named.
  @inlinable
  public func sequence(for place: UInt8) -> UInt64? {
    first { $0.place == place }?.sequence
  }
}
