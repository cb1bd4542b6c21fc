/// Limits of contexts and their matches, for the service that enforces them and for clients that
/// check first.
public enum ContextLimits {
  /// Contexts in one page of a list.
  public static let pageSizeMax = 100
  /// Contexts in a player's list in one game. Past it the least recently active context drops out
  /// of the list; it can still be entered by its id.
  public static let listSizeMax = 10_000
  /// Players of one match.
  public static let matchPlayersMax = 16
  /// Bytes of one piece of match data: a client's frame (64 KiB) less 4 KiB for everything around
  /// the piece.
  public static let matchPayloadSizeMax = 60 << 10
  /// Matches in which one connection may have a seat; it bounds the work when the connection is
  /// lost.
  public static let matchesPerChannelMax = 16
  /// Players of a group, the invited ones included: the least and the greatest bound that its owner
  /// may set. Whoever enters asks each of them for a fact.
  public static let groupSizeMin = 2
  public static let groupSizeMax = 100
  /// Bytes of a group's name, in UTF-8.
  public static let groupNameBytesMax = 100
  /// Players whom one call invites. With the players of a full group and what the call declares,
  /// they need fewer facts than one call may have.
  public static let inviteesMax = 20
  /// Players who wait for an answer to their request to be let in.
  public static let groupRequestsMax = 100
  /// Removed players whom a group remembers. Past it the one who was removed first is forgotten.
  public static let removedKeptMax = 256
  /// Owners of a group, the newest ones, who may open it again when it is closed.
  public static let formerOwnersMax = 8
  /// Groups that one player has opened in one game and that are still kept.
  public static let groupsPerPlayerMax = 100
  /// Solo contexts that one player has opened in one game and not left.
  public static let solosPerPlayerMax = 1_000
  /// Boards that a context knows to be linked to it; further ones are linked all the same.
  public static let linkedBoardsMax = 32
  /// Players in a summary of a context: the reader and the first others.
  public static let summaryPlayersMax = 4
  /// Contexts that one call of `ChooseContexts` looks at.
  public static let choiceScanMax = 1_000
  /// Friends who are asked for one page of suggestions.
  public static let suggestionFriendsMax = 32
  /// Groups that one friend suggests, among so many of the friend's contexts.
  public static let suggestedPerFriendMax = 4
  public static let suggestionScanMax = 50
  /// Matches in which one player may have a seat, on all devices, in one process of the service.
  public static let matchesPerPlayerMax = 64
  /// A sender of match data hears of acknowledgements after so many milliseconds, of all together:
  /// with 16 players who send 60 times a second they would be more than the data otherwise.
  public static let matchReceiptMilliseconds = 20
  /// Bytes of reliable data that one client may have under way to another: sent and not yet
  /// acknowledged, `matchPieceOverheadSize` for each piece included. The data of 15 senders to a
  /// player who comes back then fits into what the gateway keeps for a slow connection. The service
  /// drops what is far beyond it, without a word; its sender sends it again.
  public static let matchWindowSizeMax = 64 << 10
  /// What a piece counts besides its bytes: small ones are mostly what is around them.
  public static let matchPieceOverheadSize = 64
  /// A client acknowledges reliable data after so many milliseconds, all of them together; and at
  /// once when so many bytes of one sender wait for it, `matchPieceOverheadSize` for each piece
  /// included.
  public static let matchAcknowledgementMilliseconds = 40
  public static let matchAcknowledgementSize = 16 << 10
  /// Bytes of one message of match data, of all its pieces: the receiving client drops a longer
  /// one.
  public static let matchMessageSizeMax = 1 << 20
  /// How often in a row a seat of a match changes its connection or client, and the milliseconds
  /// until it may once more. Each time the others send again what waits.
  public static let matchConnectBurst = 10
  public static let matchConnectRefillMilliseconds = 1_000
  /// The most milliseconds of latency that count in the choice of a host.
  public static let matchLatencyMillisecondsMax = 60_000
}
