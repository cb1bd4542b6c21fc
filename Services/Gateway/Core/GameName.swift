public import Wire

/// Decides what a game may be called: printable ASCII characters.
///
/// A NUL separates the parts of a routing key, so no name holds one. Outside of ASCII some letters
/// have two spellings that are equal to Swift and different to a store: one row in memory would be
/// two rows on the disk.
public enum GameName {
  public static func failure(_ game: String) -> Failure? {
    if game.isEmpty { return Failure(.requiredArgument, argument: "game", "A game is required.") }
    if game.utf8.count > GatewayLimits.gameNameSizeMax {
      return Failure(
        .invalidArgument, argument: "game",
        "A game's name has at most \(GatewayLimits.gameNameSizeMax) bytes.")
    }
    guard game.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) else {
      return Failure(
        .invalidArgument, argument: "game", "A game's name consists of printable ASCII characters.")
    }
    return nil
  }
}
