/// Something that a player may want to know now: a list has changed on another device, it is the
/// player's turn. What it is about can be read, and what must not be missed is a `PlayerEvent`.
public struct PlayerHint: Sendable, Equatable {
  public var kind: Opcode
  public var body: [UInt8]

  init(_ event: HintEvent) {
    self.init(kind: Opcode(rawValue: event.kind), body: event.body.array)
  }

  init(kind: Opcode, body: [UInt8]) { (self.kind, self.body) = (kind, body) }

  /// The hint as a message of type `type`; nil when it is of another kind or cannot be read.
  public func decode<E: Event>(_ type: E.Type) -> E? {
    guard kind == E.opcode else { return nil }
    return try? E(decoding: body)
  }
}

extension MusterClient {
  /// What is told to all of the player's clients of the game that are connected, once and as it
  /// happens. What was told while this one was not connected is not told again: after `states` has
  /// said `connected`, read what the game shows. A `ServiceRestored` comes here as well: what that
  /// service tells of by hints is to be read again, such as friends' presence after one of
  /// `Service.request`.
  ///
  /// Every use is a consumer of its own; a slow one misses the oldest hints. Kinds that this client
  /// does not know come too. Ends when the player signs out or the client closes.
  public nonisolated var hints: AsyncStream<PlayerHint> { status.hints.stream() }
}
