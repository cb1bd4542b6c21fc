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
}
