public import Wire

/// The rules for a display name. Clients may check them first; the server always does.
public enum ProfileRules {
  /// Returns what is wrong with a name; nil for a good one. A good name has 1 to
  /// `ProfileLimits.displayNameCharactersMax` characters within the limit of bytes, and no control
  /// characters, which would break lists and logs.
  public static func failure(displayName: String) -> Failure? {
    if displayName.isEmpty { return bad("A display name needs at least one character.") }
    if displayName.utf8.count > ProfileLimits.displayNameBytesMax
      || displayName.count > ProfileLimits.displayNameCharactersMax
    {
      return bad(
        "A display name has at most \(ProfileLimits.displayNameCharactersMax) characters and "
          + "\(ProfileLimits.displayNameBytesMax) bytes.")
    }
    if displayName.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return bad("A display name has no control characters.")
    }
    return nil
  }

  private static func bad(_ text: String) -> Failure {
    Failure(.invalidArgument, argument: "displayName", text)
  }
}
