public import Wire

/// Pushed to the receivers of match data, the same bytes to each, in the order in which the sender
/// sent it. Data that the sender repeats may come twice.
public struct MatchData: Event {
  public static let opcode = Opcode(.context, 0xE5)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The sender's place in the match.
  public var place: UInt8 = 0
  /// The seat value of the client that sent it; of any other client it is not taken.
  public var seat: UInt64 = 0
  /// The version of the roster that the sender knew. Who took its seat later is not meant.
  public var roster: UInt32 = 0
  public var isReliable = false
  /// Whether the message goes on in the next reliable data of the same sender.
  public var isPartial = false
  /// The number of the data for whoever is not among the `exceptions`.
  public var sequence: UInt64 = 0
  public var exceptions: [MatchNumber] = []
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("place", &place)
    visit.field("seat", &seat)
    visit.field("roster", &roster)
    visit.field("isReliable", &isReliable)
    visit.field("isPartial", &isPartial)
    visit.field("sequence", &sequence)
    visit.field("exceptions", &exceptions)
    visit.field("payload", &payload)
  }

  /// The number of the data for the receiver at a place.
  @inlinable
  public func sequence(for place: UInt8) -> UInt64 {
    exceptions.sequence(for: place) ?? sequence
  }
}
