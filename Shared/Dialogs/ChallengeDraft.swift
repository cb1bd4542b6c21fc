/// The dialog in which a player says whom to challenge. No challenge is issued without it, or a
/// call in which the player has decided (rule 6.1).
public struct ChallengeDraft: Sendable {
  public struct Choice: Sendable, Hashable {
    public var playerIDs: [String]
    public var message: String

    public init(playerIDs: [String], message: String) {
      self.playerIDs = playerIDs
      self.message = message
    }
  }

  /// What is challenged for: the board's or the achievement's title, and the score as it is shown.
  public var subject: String
  public var message: String
  /// The players who are selected when the dialog opens.
  public var selected: [String]
  public var friends: @MainActor @Sendable (_ search: String) -> DialogPages<FriendItem>

  public init(
    subject: String, message: String, selected: [String],
    friends: @escaping @MainActor @Sendable (_ search: String) -> DialogPages<FriendItem>
  ) {
    self.subject = subject
    self.message = message
    self.selected = selected
    self.friends = friends
  }
}
