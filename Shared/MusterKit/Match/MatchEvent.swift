/// What happens in a match, in order.
public enum MatchEvent: Sendable, Equatable {
  case data(from: PlayerID, bytes: [UInt8], isReliable: Bool)
  /// A player joined, lost the connection, came back or left. A new client in the seat (a second
  /// device, a new process) knows nothing of what was sent to the client before it.
  case playerChanged(PlayerID, MatchPlayerState, isNewClient: Bool)
  /// A message from this player was longer than is allowed, and was dropped.
  case messageLost(from: PlayerID)
  /// The match is over for this client. This is the last event.
  case ended(MatchEnd)
}

/// Why a match is over for this client.
public enum MatchEnd: Sendable, Equatable {
  /// The others have left, the match was ended for all, or this client is out of it because it was
  /// away or acknowledged nothing for too long: then `Match.players` names those who may play on,
  /// if the match has not ended meanwhile.
  case ended
  /// This client has left.
  case left
  /// Another device of this player has taken the seat.
  case seatTaken
  /// The client signed out or closed.
  case closed
  /// Joining the match, or joining it again, failed for good.
  case failed(MusterError)
}
