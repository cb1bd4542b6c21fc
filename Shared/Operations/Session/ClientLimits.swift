public import Wire

/// What this deployment allows one client. It is sent at sign-in, because an operator may change
/// some of it.
public struct ClientLimits: Message {
  /// Bytes of the largest frame that a client may send, header included.
  public var frameBytesMax: UInt32 = 0
  /// Calls of one connection that are not answered yet. The next one is refused with
  /// `backpressure`.
  public var openCallsMax: UInt32 = 0
  /// Answers at or above its floor that are remembered for a client. The next call is refused with
  /// `floorTooLow`.
  public var answersMax: UInt32 = 0
  /// How long a client may send no whole frame before its connection is closed.
  public var idleMilliseconds: UInt32 = 0
  /// How long a frame may take from its first byte to its last.
  public var partialFrameMilliseconds: UInt32 = 0
  /// Calls a second of one player, on all connections to one of a gateway's loops together; bursts
  /// may hold twice as many.
  public var callsPerSecond: UInt32 = 0
  /// The deadline of a call that names none.
  public var deadlineMilliseconds: UInt32 = 0
  /// The longest deadline; a longer one counts as this.
  public var deadlineMillisecondsMax: UInt32 = 0
  /// Events in one reply to `ReadEvents`.
  public var eventPageMax: UInt32 = 0
  /// Bytes of one piece of match data.
  public var matchPayloadBytesMax: UInt32 = 0
  /// Matches in which one connection may have a seat.
  public var matchesPerConnectionMax: UInt32 = 0

  public init() {}

  /// The limits of this build, with those that a gateway's settings decide.
  public init(
    openCallsMax: Int, idleMilliseconds: Int64, partialFrameMilliseconds: Int64,
    callsPerSecond: Int64, deadlineMilliseconds: Int64, deadlineMillisecondsMax: UInt32
  ) {
    frameBytesMax = UInt32(WireLimits.clientFrameSizeMax)
    self.openCallsMax = UInt32(openCallsMax)
    answersMax = UInt32(WireLimits.answersMax)
    self.idleMilliseconds = UInt32(idleMilliseconds)
    self.partialFrameMilliseconds = UInt32(partialFrameMilliseconds)
    self.callsPerSecond = UInt32(callsPerSecond)
    self.deadlineMilliseconds = UInt32(deadlineMilliseconds)
    self.deadlineMillisecondsMax = deadlineMillisecondsMax
    eventPageMax = UInt32(StreamLimits.pageMax)
    matchPayloadBytesMax = UInt32(ContextLimits.matchPayloadSizeMax)
    matchesPerConnectionMax = UInt32(ContextLimits.matchesPerChannelMax)
  }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("frameBytesMax", &frameBytesMax)
    visit.field("openCallsMax", &openCallsMax)
    visit.field("answersMax", &answersMax)
    visit.field("idleMilliseconds", &idleMilliseconds)
    visit.field("partialFrameMilliseconds", &partialFrameMilliseconds)
    visit.field("callsPerSecond", &callsPerSecond)
    visit.field("deadlineMilliseconds", &deadlineMilliseconds)
    visit.field("deadlineMillisecondsMax", &deadlineMillisecondsMax)
    visit.field("eventPageMax", &eventPageMax)
    visit.field("matchPayloadBytesMax", &matchPayloadBytesMax)
    visit.field("matchesPerConnectionMax", &matchesPerConnectionMax)
  }
}
