/// The dialog in which a player selects friends: the recipients of a request, or of an invitation.
public struct RecipientSelection: Sendable {
  public var request: RequestDraft
  /// How many can be selected.
  public var countMax: Int
  /// Returns the friends whose names have this text in them, the suggested ones first; all of them
  /// for an empty text.
  public var friends: @MainActor @Sendable (_ search: String) -> DialogPages<FriendItem>

  public init(
    _ request: RequestDraft, countMax: Int,
    friends: @escaping @MainActor @Sendable (_ search: String) -> DialogPages<FriendItem>
  ) {
    self.request = request
    self.countMax = countMax
    self.friends = friends
  }
}

/// A friend to select.
public struct FriendItem: Sendable, Hashable {
  public var playerID: String
  public var displayName: String
  public var isSuggested: Bool

  public init(playerID: String, displayName: String, isSuggested: Bool = false) {
    self.playerID = playerID
    self.displayName = displayName
    self.isSuggested = isSuggested
  }
}

/// What a request will say.
public struct RequestDraft: Sendable, Hashable {
  public var title: String
  public var message: String
  /// The words on the button that sends it; empty for the presenter's own.
  public var callToAction: String
  /// The recipients' ids, where the game has named them.
  public var recipients: [String]

  public init(title: String, message: String, callToAction: String, recipients: [String] = []) {
    self.title = title
    self.message = message
    self.callToAction = callToAction
    self.recipients = recipients
  }
}
