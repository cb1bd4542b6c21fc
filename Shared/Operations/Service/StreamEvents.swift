public import Wire

/// The messages of events that come in players' streams.
public enum StreamEvents {
  public static let all: [any Event.Type] = [
    FriendInvitation.self, FriendAccepted.self, RequestReceived.self, RequestAnswered.self,
    RequestExpired.self, RequestDropped.self, RequestDelivered.self, ConsentChanged.self,
    InviteTokenClaimed.self, EventsDropped.self, ContextInvitation.self,
    ContextPlayerChanged.self, ContextJoinRequested.self, ContextRequestAnswered.self,
    ContextSettingsChanged.self, ContextClosed.self,
    ChallengeReceived.self, ChallengeCompleted.self, ChallengeDeclined.self,
    ChallengeExpired.self, ChallengeReopened.self, ChallengeWithdrawn.self,
    TurnGameInvitation.self, TurnPassed.self, TurnGameEnded.self, TurnExchangeChanged.self,
    TurnProposalChanged.self, TurnReminder.self,
    MatchFound.self, TicketEnded.self, MatchInvitation.self, MatchInviteAnswered.self,
    MatchInviteEnded.self, JoiningEnded.self,
  ]

  /// The shape of such a message, and of the effects that carry one to a player's stream.
  public static func shape(of opcode: Opcode) -> Shape? {
    switch opcode {
    case AppendEvent.opcode: AppendEvent.shape
    case DeliverHint.opcode: DeliverHint.shape
    default: all.first { $0.opcode == opcode }?.shape
    }
  }
}
