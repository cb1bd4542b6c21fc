public import Wire

/// An effect of any service: appends one event to a player's durable stream, in the effect's game.
/// While many events of a sender or a game are unread, further ones of them are dropped, and the
/// player is told so by `EventsDropped`; the effect counts as applied.
public struct AppendEvent: EventDelivery {
  public static let opcode = Opcode(.request, 0x05)
  public var player = PlayerID()
  /// The opcode of the event's message.
  public var kind: UInt16 = 0
  public var body = Bytes()
  /// Who has caused the event; nil for the game itself. Bounds are kept for each.
  public var sender = PlayerID()
  /// Whether the event is dropped where the player blocks the sender by now: one that begins
  /// something, such as an invitation. A drop counts as applied; nobody is told.
  public var isUnlessBlocked = false
  public init() {}

  /// - Parameter sender: who has caused the event; nil for the game itself.
  public init<E: Event>(_ event: E, to player: PlayerID, from sender: PlayerID) {
    self.init(event, to: player)
    self.sender = sender
  }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("kind", &kind)
    visit.field("body", &body)
    visit.field("sender", &sender)
    visit.field("isUnlessBlocked", &isUnlessBlocked)
  }
}

/// A message of a service's that carries an event to a player.
public protocol EventDelivery: Operation where Reply == Empty {
  var player: PlayerID { get set }
  /// The opcode of the event's message.
  var kind: UInt16 { get set }
  var body: Bytes { get set }
}

extension EventDelivery {
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }

  public init<E: Event>(_ event: E, to player: PlayerID) {
    precondition(E.way == .stream, "an event is kept in a stream that is declared not to be")
    self.init()
    self.player = player
    kind = E.opcode.rawValue
    body = Bytes(event.encoded)
  }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("kind", &kind)
    visit.field("body", &body)
  }
}

/// One entry of a player's durable event stream, as pushed and as replayed.
public struct StreamEvent: Event {
  public static let opcode = Opcode(.request, 0xE0)
  /// The event's number in the player's stream, from 1. A session gets those of its game, and those
  /// of no game.
  public var sequence: UInt64 = 0
  /// The event's identifier, by which a receiver notices an event that comes twice.
  public var id = EventID()
  /// The session's game; empty for an event of no game, such as a friendship.
  public var game = ""
  /// When the event happened, in milliseconds since 1970.
  public var time: Int64 = 0
  /// The opcode of the event's message, whose fields are in `body`.
  public var kind: UInt16 = 0
  public var body = Bytes()
  /// A sequence number before this one: no event between the two is meant for the session. An event
  /// whose `after` is above the place of the client tells that it has missed some.
  public var after: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("sequence", &sequence)
    visit.field("id", &id)
    visit.field("game", &game)
    visit.field("time", &time)
    visit.field("kind", &kind)
    visit.field("body", &body)
    visit.field("after", &after)
  }
}
