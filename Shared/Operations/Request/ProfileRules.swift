public import Wire

/// The rules for a display name. Clients may check them first; the server always does.
public enum ProfileRules {
  /// The most bytes of a name as it was typed: blanks and other forms of a character may take more
  /// of them than what is kept.
  public static let typedBytesMax = 4 * ProfileLimits.displayNameBytesMax

  /// The name as it is kept: without blanks at its ends, and with a single one, a space, where
  /// there are any within. A server brings it into Unicode's normal form C as well.
  public static func kept(displayName: String) -> String {
    displayName.unicodeScalars
      .split { $0.properties.generalCategory == .spaceSeparator }
      .map { String($0) }
      .joined(separator: " ")
  }

  /// Returns what is wrong with a name; nil for a good one. A good name has 1 to
  /// `ProfileLimits.displayNameCharactersMax` characters within the limit of bytes, and keeps to
  /// `TextRules` for a line.
  public static func failure(displayName: String) -> Failure? {
    if displayName.isEmpty { return bad("A display name needs at least one character.") }
    if displayName.utf8.count > ProfileLimits.displayNameBytesMax
      || displayName.count > ProfileLimits.displayNameCharactersMax
    {
      return tooLong
    }
    return TextRules.fault(inLine: displayName).map { bad("The display name \($0).") }
  }

  public static var tooLong: Failure {
    bad(
      "A display name has at most \(ProfileLimits.displayNameCharactersMax) characters and "
        + "\(ProfileLimits.displayNameBytesMax) bytes.")
  }

  private static func bad(_ text: String) -> Failure {
    Failure(.invalidArgument, argument: "displayName", text)
  }
}
