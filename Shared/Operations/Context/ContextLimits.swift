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
  /// Matches in which one player may have a seat, on all devices, in one process of the service.
  public static let matchesPerPlayerMax = 64
  /// A sender of match data hears of acknowledgements after so many milliseconds, of all together:
  /// with 16 players who send 60 times a second they would be more than the data otherwise.
  public static let matchReceiptMilliseconds = 20
  /// The most milliseconds of latency that count in the choice of a host.
  public static let matchLatencyMillisecondsMax = 60_000
}
