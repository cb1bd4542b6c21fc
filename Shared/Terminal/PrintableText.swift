import Wire

extension String {
  /// The text without what would control a terminal or change the direction of what follows, since
  /// it may be another player's. A replacement character stands for each of these.
  package var printable: String {
    guard unicodeScalars.contains(where: \.controlsTerminal) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.controlsTerminal ? "\u{fffd}" : scalar) }
    return String(result)
  }
}
