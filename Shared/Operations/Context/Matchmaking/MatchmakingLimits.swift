/// Limits of matchmaking, for the service that enforces them and for clients that check first.
public enum MatchmakingLimits {
  /// Players of one match; a ticket that allows more is taken as allowing so many.
  public static let playersMax = ContextLimits.matchPlayersMax
  /// Bytes of a player group's name.
  public static let playerGroupBytesMax = 64
  /// Tickets that a player may have waiting in one game, those of parties included.
  public static let ticketsPerPlayerMax = 3
  /// Tickets that wait in one player group.
  public static let ticketsPerGroupMax = 1_000_000
  /// Ended tickets that stay in a player's list.
  public static let endedTicketsKept = 16
  /// Numbers, words and latencies of one ticket, each.
  public static let propertiesMax = 16
  /// Bytes of a property's name, and of a word.
  public static let propertyBytesMax = 64
  /// Regions that a queue names.
  public static let regionsMax = 8
  /// Rules of one queue: one for a number, two for words, one for latency and one for the size.
  public static let rulesMax = 5
  public static let wordRulesMax = 2
  /// Times at which the rules of one queue loosen, all rules together.
  public static let loosenTimesMax = 8
  /// Seconds of a ticket's life.
  public static let lifetimeSecondsMax = 24 * 3600
  /// Declarations of one queue whose tickets still wait.
  public static let versionsMax = 8
  /// Players in one invitation.
  public static let inviteRecipientsMax = playersMax - 1
  /// Bytes of an invitation's message.
  public static let inviteMessageBytesMax = 1_024
  /// Invitations of one player that wait for answers, in one game.
  public static let openInvitesMax = 4
}
