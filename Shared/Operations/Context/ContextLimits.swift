/// Limits of contexts and their matches, for the service that enforces them and for clients that
/// check first.
public enum ContextLimits {
  /// Contexts in one page of a list.
  public static let pageSizeMax = 100
  /// Contexts in a player's list, per game; beyond it the least recently active one drops out of
  /// the list, and can still be entered by its id.
  public static let listSizeMax = 10_000
  /// Players of one match.
  public static let matchPlayersMax = 16
  /// Bytes of one piece of match data: a client's frame less 4 KiB for everything around it.
  public static let matchPayloadSizeMax = 60 << 10
  /// Matches that one connection has a seat in: bounds the work when it is lost.
  public static let matchesPerChannelMax = 16
}
