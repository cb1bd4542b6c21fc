// The limits of the request service that its callers can run into, in one place.

/// The limits of profiles: a name fits on a game's scoreboard and cannot flood it.
public enum ProfileLimits {
  public static let displayNameCharactersMax = 40
  /// Four bytes for each character: enough for any script, too little for stacks of accents.
  public static let displayNameBytesMax = displayNameCharactersMax * 4
  /// Players of one call for profiles: as many as a group has.
  public static let profilesMax = 100
}

/// The limits of friends: the list of friends travels with every call that needs it, 80 KiB at
/// most.
public enum FriendLimits {
  /// Friends of a player, together with the player's open invitations to others.
  public static let friendsMax = 5000
  /// Open invitations from others; further ones are declined.
  public static let receivedMax = 500
  public static let blockedMax = 1000
  /// Players of one page of the list, of whom friends are asked for their profile.
  public static let pageMax = 100
  /// Players of the list in one reply, which must fit in a frame.
  public static let replyMax = 2000
  /// Friends who are asked for friends of theirs, for one call for suggestions.
  public static let askedFriendsMax = 64
  /// Friends whom each of them names.
  public static let sampleMax = 64
  /// Players who are then asked whether the caller may know of them.
  public static let candidatesMax = 40
  public static let suggestionsMax = 20
  /// Players of one call that invites a list.
  public static let importMax = 100
}

/// The limits of sessions.
public enum SessionLimits {
  /// Connections of one player, from all devices and in all games. A further one takes the place of
  /// the oldest.
  public static let connectionsPerPlayerMax = 32
  /// Games that one player can sign in to.
  public static let gamesPerPlayerMax = 256
}

/// The limits of requests.
public enum RequestLimits {
  public static let recipientsMax = 50
  public static let suggestionsMax = 50
  public static let dataCharactersMax = 255
  /// Longer messages and titles are allowed, with a warning.
  public static let messageCharactersAdvised = 60
  public static let titleCharactersAdvised = 50
  public static let messageBytesMax = 2048
  public static let titleBytesMax = 512
  public static let ctaBytesMax = 256
  public static let objectIDBytesMax = 256
  /// 255 characters of several scalars each, such as families of emoji, fit.
  public static let dataBytesMax = 16 << 10
  public static let recipientBytesMax = 128
  public static let pageMax = 100
}

/// The limits of the selector of recipients.
public enum SelectorLimits {
  public static let pageMax = 50
  /// Friends who are asked for their profile in one call.
  public static let askedMax = 100
  public static let searchBytesMax = ProfileLimits.displayNameBytesMax
}

/// The limits of invite tokens.
public enum InviteTokenLimits {
  /// Tokens of one call.
  public static let createdMax = 20
  /// A player's tokens, of all games, that can be claimed.
  public static let openMax = 100
  /// A player's tokens that are remembered; of those that cannot be claimed any more, the one for
  /// which that is longest so makes room.
  public static let keptMax = 300
  /// Requests that wait for whoever claims a token.
  public static let requestsMax = 4
}

/// The limits of consents to requests without a dialog.
public enum ConsentLimits {
  /// Games in which two friends have such consents.
  public static let gamesMax = 64
  /// Friends of one page of the list.
  public static let pageMax = 1000
}

/// The limits of a player's durable event stream.
public enum StreamLimits {
  public static let pageMax = 100
  /// Bytes of events or requests in one reply, which must fit in a frame; the rest is on the next
  /// page.
  public static let pageBytesMax = 512 << 10
  /// Bytes of one event, so that a page holds several.
  public static let eventBytesMax = 64 << 10
  /// Acknowledged events that are kept all the same, for a device that comes back later, where the
  /// operator has not set another number.
  public static let keptAcknowledgedMax: UInt64 = 256
  /// Shares of senders and games that one acknowledgement brings up to date.
  public static let settledMax = 16
}
