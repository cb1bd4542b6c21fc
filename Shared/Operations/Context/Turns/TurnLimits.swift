/// Limits of turn-based games, for the service that enforces them and for clients that check first.
public enum TurnLimits {
  /// Players of one game.
  public static let playersMax = 16
  /// Bytes of the public state: a client's frame (64 KiB) less 4 KiB for what is around it.
  public static let stateSizeMax = 60 << 10
  /// Bytes of one player's hidden state.
  public static let hiddenSizeMax = 16 << 10
  /// Bytes of a move's payload, so that a page of moves fits a frame.
  public static let payloadSizeMax = 4 << 10
  /// Bytes of state, hidden state and payload together in one call: see `stateSizeMax`.
  public static let callSizeMax = 60 << 10
  /// Moves of one game.
  public static let movesMax = 2_000
  /// Moves that an undo may take back.
  public static let undoDepthMax = 16
  /// Bytes of a state that is kept with its move for good, so that a game can be forked there.
  public static let smallStateSizeMax = 1 << 10
  /// Larger states that are kept of each game: two for each move that may be undone.
  public static let largeStatesMax = 32
  /// Games of a context that have ended and can still be read.
  public static let finishedGamesMax = 4
  /// Moves in one page.
  public static let movePageMax = 64
  /// Games in one page of `ListTurnGames`.
  public static let pageMax = 100
  /// Lines of conditional moves of one player.
  public static let conditionalLinesMax = 8
  /// Moves in one such line.
  public static let conditionalStepsMax = 8
  /// Bytes of a player's conditional moves in all.
  public static let conditionalBytesMax = 16 << 10
  /// Open exchanges of one game.
  public static let exchangesMax = 8
  /// Open exchanges of one player in a game, so that nobody takes all of them.
  public static let exchangesPerPlayerMax = 2
  /// Bytes of what a player says in an exchange.
  public static let exchangeSizeMax = 1 << 10
  /// How long an exchange is open where its call does not say: one day.
  public static let exchangeMilliseconds: Int64 = 24 * 3600 * 1000
  /// The longest time of an exchange.
  public static let exchangeMillisecondsMax: Int64 = 7 * 24 * 3600 * 1000
  /// Spectators of one game.
  public static let spectatorsMax = 64
  /// Forks of a game whose moves are being copied at once.
  public static let forksMax = 4
  /// How long a turn may take where the starter does not say: one week.
  public static let turnTimeoutMilliseconds: Int64 = 7 * 24 * 3600 * 1000
  /// The shortest time of a turn or on a clock, so that time-outs do not keep the service busy.
  public static let clockMillisecondsMin: Int64 = 5_000
  /// The longest time of a turn or on a clock: a year.
  public static let clockMillisecondsMax: Int64 = 366 * 24 * 3600 * 1000
  /// How long after a reminder the next one may be sent in a game.
  public static let reminderMilliseconds: Int64 = 3600 * 1000
}
