public import Wire

/// Sent by a player: returns the caller's events after a cursor, oldest first: those of the
/// session's game, and those of no game. A session that began with more missed events than were
/// pushed (`SessionStarted.replayedThrough`) gets no newer ones until this has answered it with
/// `more` = false.
///
/// Errors: `invalidArgument` (limit outside 1...`StreamLimits.pageMax`), `cursorLost` (after, which
/// is no place of the stream). Cost: one range of cold rows.
public struct ReadEvents: Operation {
  public static let opcode = Opcode(.request, 0x41)
  public static var isReadOnly: Bool { true }
  public var after: UInt64 = 0
  /// How many events to look at; those of other games are not in the reply.
  public var limit: UInt32 = 100
  /// The event at `after`, by which a stream is noticed that has gone back to a backup since; nil
  /// where that is not to be checked.
  public var afterEvent = EventID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("after", &after)
    visit.field("limit", &limit)
    visit.field("afterEvent", &afterEvent)
  }

  public var fault: Failure? {
    if (1...UInt32(StreamLimits.pageMax)).contains(limit) { return nil }
    return Failure(
      .invalidArgument, argument: "limit", "A page holds 1 to \(StreamLimits.pageMax) events.")
  }

  public struct Reply: Message {
    public var events: [StreamEvent] = []
    /// The last event that was looked at; the next call's `after`.
    public var through: UInt64 = 0
    /// Whether the stream goes on after `through`. If not, what is appended from now on is pushed
    /// on the connection of the call.
    public var more = false
    /// Nothing below this sequence number is kept.
    public var oldest: UInt64 = 0
    /// The event at `through`, perhaps of another game; nil where that is 0.
    public var throughEvent = EventID()
    /// The last event for this session, of its game or of none, that is not kept any more. A call
    /// whose `after` is below it has missed events: see `ReadSnapshot`.
    public var removedThrough: UInt64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("events", &events)
      visit.field("through", &through)
      visit.field("more", &more)
      visit.field("oldest", &oldest)
      visit.field("throughEvent", &throughEvent)
      visit.field("removedThrough", &removedThrough)
    }
  }
}
