/// The session that a client has.
public struct SessionInfo: Sendable, Equatable {
  public var kind: PrincipalKind
  /// Nil for an operator and for a game's own server.
  public var player: PlayerID?
  public var displayName: String
  public var game: String
  /// Every event up to here was acknowledged, in this game.
  public var acknowledged: UInt64
  /// The newest event of the player's stream when the session began.
  public var streamEnd: UInt64
}

/// How a client is connected.
public enum ConnectionState: Sendable, Equatable {
  /// Nobody is signed in, or signing in.
  case signedOut
  /// Making a connection, or beginning or resuming a session on it.
  case connecting
  /// The session is there: calls go out at once.
  case connected
  /// Trying again in a while; the text says why the last attempt failed.
  case waiting(reason: String)
  case closed
}
