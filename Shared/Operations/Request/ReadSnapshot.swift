public import Wire

/// Sent by a player: returns the end of the stream and how the lists stand there, for a client that
/// has missed events which are not kept any more.
///
/// Such a client may call this first, then read the lists that it shows (`Inbox`, `ListFriends`,
/// `ListConsents`, `ListInviteTokens`, and those of other services), and go on with `ReadEvents`
/// behind `through`, without the events before it. A list that is read after the snapshot has in it
/// what every event up to `through` told. An event behind it may tell what a list has already: both
/// say how things stand, so that taking it twice is harmless.
///
/// Errors: none of its own. Cost: looks at the player's own rows, in memory.
public struct ReadSnapshot: Operation {
  public static let opcode = Opcode(.request, 0x42)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    /// The newest event of the stream; 0 before the first.
    public var through: UInt64 = 0
    /// The event at `through`; nil where that is 0.
    public var throughEvent = EventID()
    /// Requests of this game on the player's list.
    public var requests: UInt32 = 0
    /// Friends, and invitations of others that the player has not answered.
    public var friends: UInt32 = 0
    public var invitations: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("through", &through)
      visit.field("throughEvent", &throughEvent)
      visit.field("requests", &requests)
      visit.field("friends", &friends)
      visit.field("invitations", &invitations)
    }
  }
}
