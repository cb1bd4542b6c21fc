public import Wire

/// What the store keeps of an event that waits for the push hook, and all that delivery needs of
/// it. Its content stays where it is until it is sent.
///
/// The store finds rows by `due`, then by `event`.
public struct PushRow: Sendable, Equatable {
  public var event: EventID
  public var player: PlayerID
  /// The game's name; empty for an event of no game.
  public var game: String
  /// How many attempts have failed.
  public var attempts: Int
  /// When the next attempt may be made, in milliseconds since 1970; at first when the event was
  /// written.
  public var due: Int64
  /// When the event was written, in milliseconds since 1970.
  public var since: Int64
  /// Of what has led to the event; nil where that is not known.
  public var trace: TraceID

  public init(
    event: EventID, player: PlayerID, game: String = "", attempts: Int = 0, due: Int64,
    since: Int64, trace: TraceID = TraceID()
  ) {
    self.event = event
    self.player = player
    self.game = game
    self.attempts = attempts
    self.due = due
    self.since = since
    self.trace = trace
  }
}
