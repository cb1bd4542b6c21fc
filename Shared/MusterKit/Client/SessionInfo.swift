/// The session that a client has.
public struct SessionInfo: Sendable, Equatable {
  public var kind: PrincipalKind
  /// Nil for an operator and for a game's own server.
  public var player: PlayerID?
  public var displayName: String
  public var game: String
  /// Every event up to this sequence number was acknowledged in this game when the session began.
  public var acknowledged: UInt64
  /// The sequence number of the newest event in the player's stream when the session began.
  public var streamEnd: UInt64
  /// The player's name besides the display name when the session began; empty where there is none.
  public var alias = ""
}

/// How a client is connected.
public enum ConnectionState: Sendable, Equatable {
  /// Nobody is signed in or signing in.
  case signedOut
  /// The client is making a connection, or beginning or resuming a session on it.
  case connecting
  /// There is a session: calls are sent at once.
  case connected
  /// The client waits before it tries again; the text says why the last attempt failed.
  case waiting(reason: String)
  /// `close` was called.
  case closed
}
