import Domain
import GatewayCore
import Operations
import Wire

/// The limits that clients run into, by the names that sentences of the page use.
public enum LimitTable {
  public static let entries: [(name: String, value: String)] = [
    entry("ProfileLimits.displayNameCharactersMax", ProfileLimits.displayNameCharactersMax),
    entry("ProfileLimits.displayNameBytesMax", ProfileLimits.displayNameBytesMax),
    entry("FriendLimits.friendsMax", FriendLimits.friendsMax),
    entry("FriendLimits.receivedMax", FriendLimits.receivedMax),
    entry("FriendLimits.blockedMax", FriendLimits.blockedMax),
    entry("SessionLimits.connectionsPerPlayerMax", SessionLimits.connectionsPerPlayerMax),
    entry("SessionLimits.gamesPerPlayerMax", SessionLimits.gamesPerPlayerMax),
    entry("RequestLimits.recipientsMax", RequestLimits.recipientsMax),
    entry("RequestLimits.suggestionsMax", RequestLimits.suggestionsMax),
    entry("RequestLimits.dataCharactersMax", RequestLimits.dataCharactersMax),
    entry("RequestLimits.messageCharactersAdvised", RequestLimits.messageCharactersAdvised),
    entry("RequestLimits.titleCharactersAdvised", RequestLimits.titleCharactersAdvised),
    entry("RequestLimits.messageBytesMax", RequestLimits.messageBytesMax),
    entry("RequestLimits.titleBytesMax", RequestLimits.titleBytesMax),
    entry("RequestLimits.ctaBytesMax", RequestLimits.ctaBytesMax),
    entry("RequestLimits.objectIDBytesMax", RequestLimits.objectIDBytesMax),
    entry("RequestLimits.dataBytesMax", RequestLimits.dataBytesMax),
    entry("RequestLimits.recipientBytesMax", RequestLimits.recipientBytesMax),
    entry("RequestLimits.pageMax", RequestLimits.pageMax),
    entry("StreamLimits.pageMax", StreamLimits.pageMax),
    entry("StreamLimits.pageBytesMax", StreamLimits.pageBytesMax),
    entry("StreamLimits.eventBytesMax", StreamLimits.eventBytesMax),
    entry("StreamLimits.settledMax", StreamLimits.settledMax),
    entry("HintLimits.bytesMax", HintLimits.bytesMax),
    entry("HintLimits.burst", HintLimits.burst),
    entry("HintLimits.refillMilliseconds", HintLimits.refillMilliseconds),
    entry("ContextLimits.pageSizeMax", ContextLimits.pageSizeMax),
    entry("ContextLimits.listSizeMax", ContextLimits.listSizeMax),
    entry("ContextLimits.matchPlayersMax", ContextLimits.matchPlayersMax),
    entry("ContextLimits.matchPayloadSizeMax", ContextLimits.matchPayloadSizeMax),
    entry("ContextLimits.matchesPerChannelMax", ContextLimits.matchesPerChannelMax),
    entry("MatchmakingLimits.playersMax", MatchmakingLimits.playersMax),
    entry("MatchmakingLimits.playerGroupBytesMax", MatchmakingLimits.playerGroupBytesMax),
    entry("MatchmakingLimits.ticketsPerPlayerMax", MatchmakingLimits.ticketsPerPlayerMax),
    entry("MatchmakingLimits.ticketsPerGroupMax", MatchmakingLimits.ticketsPerGroupMax),
    entry("MatchmakingLimits.endedTicketsKept", MatchmakingLimits.endedTicketsKept),
    entry("MatchmakingLimits.propertiesMax", MatchmakingLimits.propertiesMax),
    entry("MatchmakingLimits.propertyBytesMax", MatchmakingLimits.propertyBytesMax),
    entry("MatchmakingLimits.regionsMax", MatchmakingLimits.regionsMax),
    entry("MatchmakingLimits.rulesMax", MatchmakingLimits.rulesMax),
    entry("MatchmakingLimits.wordRulesMax", MatchmakingLimits.wordRulesMax),
    entry("MatchmakingLimits.loosenTimesMax", MatchmakingLimits.loosenTimesMax),
    entry("MatchmakingLimits.lifetimeSecondsMax", MatchmakingLimits.lifetimeSecondsMax),
    entry("MatchmakingLimits.versionsMax", MatchmakingLimits.versionsMax),
    entry("MatchmakingLimits.inviteRecipientsMax", MatchmakingLimits.inviteRecipientsMax),
    entry("MatchmakingLimits.inviteMessageBytesMax", MatchmakingLimits.inviteMessageBytesMax),
    entry("MatchmakingLimits.openInvitesMax", MatchmakingLimits.openInvitesMax),
    entry("LeaderboardLimits.boardNameBytesMax", LeaderboardLimits.boardNameBytesMax),
    entry("LeaderboardLimits.titleBytesMax", LeaderboardLimits.titleBytesMax),
    entry("LeaderboardLimits.entryCountMax", LeaderboardLimits.entryCountMax),
    entry("LeaderboardLimits.scopePlayerCountMax", LeaderboardLimits.scopePlayerCountMax),
    entry("LeaderboardLimits.fallbackAttemptsMax", LeaderboardLimits.fallbackAttemptsMax),
    entry("LeaderboardLimits.attemptDaysMax", LeaderboardLimits.attemptDaysMax),
    entry("LeaderboardLimits.historyDaysMax", LeaderboardLimits.historyDaysMax),
    entry("LeaderboardLimits.secondsMax", LeaderboardLimits.secondsMax),
    entry("LeaderboardLimits.recurrenceUnitsMax", LeaderboardLimits.recurrenceUnitsMax),
    entry("LeaderboardLimits.zoneBytesMax", LeaderboardLimits.zoneBytesMax),
    entry("LeaderboardLimits.olderOccurrencesMax", LeaderboardLimits.olderOccurrencesMax),
    entry("LeaderboardLimits.rateCountMax", LeaderboardLimits.rateCountMax),
    entry("LeaderboardLimits.rateSecondsMax", LeaderboardLimits.rateSecondsMax),
    entry("LeaderboardLimits.runSecondsMax", LeaderboardLimits.runSecondsMax),
    entry("LeaderboardLimits.ticketsPerPlayerMax", LeaderboardLimits.ticketsPerPlayerMax),
    entry(
      "LeaderboardLimits.challengeReceiverCountMax", LeaderboardLimits.challengeReceiverCountMax),
    entry(
      "LeaderboardLimits.challengeMessageBytesMax", LeaderboardLimits.challengeMessageBytesMax),
    entry(
      "LeaderboardLimits.openChallengesPerReceiverMax",
      LeaderboardLimits.openChallengesPerReceiverMax),
    entry(
      "LeaderboardLimits.openChallengesPerPairMax", LeaderboardLimits.openChallengesPerPairMax),
    entry("LeaderboardLimits.endedChallengesKeptMax", LeaderboardLimits.endedChallengesKeptMax),
    entry(
      "LeaderboardLimits.challengeLifetimeMillisecondsMax",
      LeaderboardLimits.challengeLifetimeMillisecondsMax),
    entry("LeaderboardLimits.challengePageMax", LeaderboardLimits.challengePageMax),
    entry("AchievementLimits.perGameMax", AchievementLimits.perGameMax),
    entry("AchievementLimits.descriptionBytesMax", AchievementLimits.descriptionBytesMax),
    entry("AchievementLimits.pointsMax", AchievementLimits.pointsMax),
    entry("AchievementLimits.pageMax", AchievementLimits.pageMax),
    entry("LeaderboardSetLimits.perGameMax", LeaderboardSetLimits.perGameMax),
    entry("LeaderboardSetLimits.boardsPerSetMax", LeaderboardSetLimits.boardsPerSetMax),
  ]

  /// Limits in `Shared/Wire` and `Shared/Operations` that the page says elsewhere, or that no
  /// client meets.
  public static let others: Set<String> = [
    "WireLimits.frameHeaderSize", "WireLimits.frameHeaderSizeAfterLength",
    "WireLimits.frameSizeMax", "WireLimits.clientFrameSizeMax", "WireLimits.version",
    "WireLimits.answersMax", "WireLimits.answersKeptMilliseconds", "WireLimits.counterJumpMax",
    "StreamLimits.keptAcknowledgedMax",
  ]

  /// What an operator may change, and clients meet without being told of it.
  static let settings: [NumberSetting] =
    [.connectionsPerHost, .signInsPerMinute, .sessionTokenLifetime]
    + ServiceCores.all.flatMap { $0.declaredSettings }

  private static func entry(_ name: String, _ value: some BinaryInteger) -> (String, String) {
    (name, "\(value)")
  }
}
