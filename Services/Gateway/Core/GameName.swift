public import Wire

/// Decides what a game may be called: printable ASCII characters.
///
/// Outside of ASCII some letters have two spellings that are equal to Swift and different to a
/// store: one row in memory would be two rows on the disk. A name begins with a letter or digit and
/// does not end with a blank, and it has no characters that paths, shells or markup take for
/// something else: people write it into all of them.
public enum GameName {
  private static let refusedCharacters = Set(#"/\"'<>&;"#.utf8)

  public static func failure(_ game: String) -> Failure? {
    if game.isEmpty { return Failure(.requiredArgument, argument: "game", "A game is required.") }
    if game.utf8.count > GatewayLimits.gameNameSizeMax {
      return refusal("A game's name has at most \(GatewayLimits.gameNameSizeMax) bytes.")
    }
    guard game.utf8.allSatisfy({ 0x20...0x7e ~= $0 && !refusedCharacters.contains($0) }) else {
      return refusal(
        #"A game's name consists of printable ASCII characters other than / \ " ' < > & and ;."#)
    }
    guard let first = game.first, first.isLetter || first.isNumber, game.last != " " else {
      return refusal("A game's name begins with a letter or digit and does not end with a blank.")
    }
    return nil
  }

  private static func refusal(_ text: String) -> Failure {
    Failure(.invalidArgument, argument: "game", text)
  }
}
