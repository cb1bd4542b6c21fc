/// How many columns of a terminal a text takes: two for wide characters of East Asia and for emoji,
/// none for marks that combine with the character before them.
///
/// Terminals do not agree about everything. This is what the C library's `wcwidth` says of single
/// scalars, and of emoji in several scalars what terminals of today show: one picture.
package enum TextWidth {
  /// The columns of a text without control characters; see `PrintableText`.
  package static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  package static func of(_ character: Character) -> Int {
    // Nearly every character is one of these.
    if let value = character.asciiValue { return value < 0x20 || value == 0x7f ? 0 : 1 }
    let scalars = character.unicodeScalars
    if scalars.count > 1 && isPicture(scalars) { return 2 }
    return scalars.reduce(0) { $0 + of($1) }
  }

  /// Returns the longest beginning of a text that takes no more than so many columns.
  package static func prefix(of text: String, columns: Int) -> Substring {
    var left = columns
    let end = text.firstIndex { character in
      left -= of(character)
      return left < 0
    }
    return text[..<(end ?? text.endIndex)]
  }

  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    switch scalar.properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
    case .format where !seenFormats.contains(value): return 0
    default: break
    }
    // The vowels and final consonants of a Korean syllable stand in its first consonant's columns.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    if isFlagLetter(scalar) { return 1 }
    return scalar.properties.isEmojiPresentation || isWide(value) ? 2 : 1
  }

  /// Whether several scalars are shown as one picture: a flag, a face with a colour of skin, a
  /// family, or a sign that is asked for as a picture.
  private static func isPicture(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let first = scalars.first else { return false }
    if isFlagLetter(first) { return true }
    guard first.properties.isEmoji else { return false }
    let showsAsPicture: Unicode.Scalar = "\u{FE0F}"
    return first.properties.isEmojiPresentation || scalars.contains(showsAsPicture)
      || scalars.contains { $0.properties.isEmojiModifier }
  }

  private static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= wide[0].lowerBound else { return false }
    return wide.contains { $0.contains(value) }
  }

  /// The soft hyphen, and the signs that stand before a number, as in Arabic.
  private static let seenFormats: Set<UInt32> = [
    0xAD, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD,
    0x110CD,
  ]

  /// The scalars that are wide or full-width by Unicode's East Asian Width, without the emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
    0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251,
    0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
