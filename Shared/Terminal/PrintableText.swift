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

extension Unicode.Scalar {
  fileprivate var controlsTerminal: Bool {
    if properties.generalCategory == .control { return true }
    switch value {
    // A separator of lines or paragraphs; the marks that turn, embed and isolate directions.
    case 0x200E...0x200F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069, 0x61C: return true
    default: return false
    }
  }
}
