import Operations
public import Wire

/// What events and hints are about, for a part of a game that wants to hear of nothing else.
///
/// Every kind of event is of one topic. Kinds that this client does not know are of none: follow
/// `MusterClient.events` to hear of those.
public struct EventTopic: Sendable, Hashable {
  public let name: String
  /// The kinds of events and hints.
  let kinds: Set<Opcode>

  private init(_ name: String, _ types: [any Event.Type]) {
    self.name = name
    kinds = Set(types.map { $0.opcode })
  }

  public static let friends = EventTopic(
    "friends", [FriendInvitation.self, FriendAccepted.self, PresenceChanged.self])
  /// Game requests, the consents to get them without a dialog, and invite tokens.
  public static let requests = EventTopic(
    "requests",
    [
      RequestReceived.self, RequestAnswered.self, RequestExpired.self, RequestDropped.self,
      RequestDelivered.self, ConsentChanged.self, InviteTokenClaimed.self,
    ])
  public static let contexts = EventTopic(
    "contexts",
    [
      ContextInvitation.self, ContextPlayerChanged.self, ContextJoinRequested.self,
      ContextRequestAnswered.self, ContextSettingsChanged.self, ContextClosed.self,
      ContextLeft.self,
    ])
  public static let turns = EventTopic(
    "turns",
    [
      TurnGameInvitation.self, TurnPassed.self, TurnGameEnded.self, TurnExchangeChanged.self,
      TurnProposalChanged.self, TurnReminder.self, TurnGameChanged.self, YourTurn.self,
    ])
  /// Tickets, invitations to matches, and matches that were found. What happens in a match comes
  /// by `Match.events`.
  public static let matchmaking = EventTopic(
    "matchmaking",
    [
      MatchFound.self, TicketEnded.self, TicketChanged.self, MatchInvitation.self,
      MatchInviteAnswered.self, MatchInviteEnded.self, JoiningEnded.self,
    ])
  public static let challenges = EventTopic(
    "challenges",
    [
      ChallengeReceived.self, ChallengeCompleted.self, ChallengeDeclined.self,
      ChallengeExpired.self, ChallengeReopened.self, ChallengeWithdrawn.self,
      ChallengeListChanged.self,
    ])
  /// About the stream itself: events are missing, a service was restored.
  public static let delivery = EventTopic("delivery", [EventsDropped.self, ServiceRestored.self])

  public static let all = [
    friends, requests, contexts, turns, matchmaking, challenges, delivery,
  ]
}

extension MusterClient {
  /// The player's events about one topic. It is a consumer as `events` is: under the automatic
  /// policy it deals with all others by passing over them.
  public nonisolated func events(about topic: EventTopic)
    -> some AsyncSequence<PlayerEvent, Never> & Sendable
  {
    events.filter { topic.kinds.contains($0.kind) }
  }

  /// The player's events of one type, as messages.
  public nonisolated func events<E: Event>(of type: E.Type)
    -> some AsyncSequence<E, Never> & Sendable
  {
    events.compactMap { $0.decode(E.self) }
  }

  /// The hints about one topic.
  public nonisolated func hints(about topic: EventTopic)
    -> some AsyncSequence<PlayerHint, Never> & Sendable
  {
    hints.filter { topic.kinds.contains($0.kind) }
  }

  /// The hints of one type, as messages.
  public nonisolated func hints<E: Event>(of type: E.Type)
    -> some AsyncSequence<E, Never> & Sendable
  {
    hints.compactMap { $0.decode(E.self) }
  }
}
