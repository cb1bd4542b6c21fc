public import Operations
public import Wire

/// Open turn-based games of two players each for measuring. As with a filled board, who plays where
/// follows from the games' numbers alone, and ids rise with them.
public enum FilledGames {
  public static func context(_ number: Int) -> ContextID {
    ContextID(reinterpreting: FilledBoard.player(number))
  }

  /// The first one has the first turn.
  public static func players(_ number: Int) -> [PlayerID] {
    [FilledBoard.player(2 * number), FilledBoard.player(2 * number + 1)]
  }
}
