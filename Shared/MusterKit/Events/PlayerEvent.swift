/// One event of the player's durable stream.
public struct PlayerEvent: Sendable, Equatable {
  public var sequence: UInt64
  /// The same wherever and however often the event is delivered.
  public var id: EventID
  /// Empty for events that belong to no game.
  public var game: String
  /// Milliseconds since 1970.
  public var time: Int64
  public var kind: Opcode
  public var body: [UInt8]
  /// The server has forgotten events before this one: more came than it keeps while nobody
  /// acknowledged them. Read lists anew.
  public var isAfterLoss = false

  init(_ event: StreamEvent) {
    sequence = event.sequence
    id = event.id
    game = event.game
    time = event.time
    kind = Opcode(rawValue: event.kind)
    body = event.body.array
  }

  /// The event as a message of type `type`; nil when it is of another kind or cannot be read.
  public func decode<E: Event>(_ type: E.Type) -> E? {
    guard kind == E.opcode else { return nil }
    return try? E(decoding: body)
  }
}
