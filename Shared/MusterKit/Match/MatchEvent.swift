/// What happens in a match, in order.
public enum MatchEvent: Sendable, Equatable {
  case data(from: PlayerID, bytes: [UInt8], isReliable: Bool)
  /// A player joined, lost its connection, came back or left. A new client in the seat (a second
  /// device, a new process) knows nothing of what was sent before.
  case playerChanged(PlayerID, MatchPlayerState, isNewClient: Bool)
  /// A message of this player was longer than is allowed and is lost.
  case messageLost(from: PlayerID)
  /// The last event.
  case ended(MatchEnd)
}

/// Why a match is over for this client.
public enum MatchEnd: Sendable, Equatable {
  /// The others have left.
  case ended
  /// This client has left.
  case left
  /// Another device of this player has taken the seat.
  case seatTaken
  /// The client signed out or closed.
  case closed
  /// The match cannot be joined again.
  case failed(MusterError)
}
