public import Wire

/// The rules for a display name and an alias. Clients may check them first; the server always does.
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

  /// Returns what is wrong with a display name; nil for a good one.
  public static func failure(displayName: String) -> Failure? {
    Name.displayName.failure(in: displayName)
  }

  public static var tooLong: Failure { Name.displayName.tooLong }

  /// The names that a player has; the same rules are for each.
  public enum Name: String, Sendable {
    case displayName = "display name"
    case alias

    /// Returns what is wrong with a name; nil for a good one. A good name has 1 to
    /// `ProfileLimits.displayNameCharactersMax` characters within the limit of bytes, and keeps to
    /// `TextRules` for a line.
    public func failure(in name: String) -> Failure? {
      if name.isEmpty { return bad("A name needs at least one character.") }
      if name.utf8.count > ProfileLimits.displayNameBytesMax
        || name.count > ProfileLimits.displayNameCharactersMax
      {
        return tooLong
      }
      return TextRules.fault(inLine: name).map { bad("The \(rawValue) \($0).") }
    }

    public var tooLong: Failure {
      bad(
        "The \(rawValue) has at most \(ProfileLimits.displayNameCharactersMax) characters and "
          + "\(ProfileLimits.displayNameBytesMax) bytes.")
    }

    private func bad(_ text: String) -> Failure {
      Failure(.invalidArgument, argument: self == .alias ? "alias" : "displayName", text)
    }
  }
}
