public import Operations

/// One event of the player's durable stream.
public struct PlayerEvent: Sendable, Equatable {
  /// The event's number in the player's stream, from 1.
  public var sequence: UInt64
  /// The event's identifier, which is the same on every device and in every delivery.
  public var id: EventID
  /// The game that the event belongs to; empty when it belongs to none.
  public var game: String
  /// When the event happened, in milliseconds since 1970.
  public var time: Int64
  public var kind: Opcode
  public var body: [UInt8]
  /// Whether events may be missing right before this one. The game should then read its lists anew.
  ///
  /// - Too many of one sender or game were unread: this event is an `EventsDropped`.
  /// - All devices had acknowledged them.
  /// - The server has gone back to a backup. Events that the game knows by `id` may come again.
  public var isAfterLoss = false

  /// The event's place in the stream, for `MusterClient.events(after:)`.
  public var place: StreamPlace { StreamPlace(sequence, id) }

  init(_ event: StreamEvent) {
    sequence = event.sequence
    id = event.id
    game = event.game
    time = event.time
    kind = Opcode(rawValue: event.kind)
    body = event.body.array
  }

  /// Returns the event as a message of type `type`; nil when it is of another kind or cannot be
  /// read.
  public func decode<E: Event>(_ type: E.Type) -> E? {
    guard kind == E.opcode else { return nil }
    return try? E(decoding: body)
  }
}
