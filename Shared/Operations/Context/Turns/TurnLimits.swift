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
  /// Larger states, and hidden ones of any size, that are kept of each game beside the current
  /// ones, by when they were superseded: two for each move that may be undone.
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
  /// Forks that a player makes of a context's games in a row; a spectator only one.
  public static let forksInRowMax = 4
  /// How long it takes until a player may fork once more: six hours.
  public static let forkMilliseconds: Int64 = 6 * 3600 * 1000
  /// Forks that one player has made in one game and whose contexts are still kept.
  public static let forksKeptMax: UInt32 = 100
  /// Events that a player's invitations, proposals and exchanges put into the streams of others in
  /// a row, in the games of one context. Each counts twice, for its beginning and its end.
  public static let newsMax = 120
  /// How long it takes until there is room for one more: 120 in an hour.
  public static let newsMilliseconds: Int64 = 30_000
  /// How long a turn may take where the starter does not say: one week.
  public static let turnTimeoutMilliseconds: Int64 = 7 * 24 * 3600 * 1000
  /// The shortest time of a turn or on a clock, so that time-outs do not keep the service busy.
  public static let clockMillisecondsMin: Int64 = 5_000
  /// The longest time of a turn or on a clock: a year.
  public static let clockMillisecondsMax: Int64 = 366 * 24 * 3600 * 1000
  /// How long after a reminder the next one may be sent in a game.
  public static let reminderMilliseconds: Int64 = 3600 * 1000
}
