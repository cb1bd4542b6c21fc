public import Wire

/// Whether a player has a connection, in any game. Only friends are told.
public struct Presence: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not for the caller to know.
  public static let none = Self(rawValue: 0)
  /// The player has no connection, or does not show it.
  public static let offline = Self(rawValue: 1)
  public static let online = Self(rawValue: 2)

  public static let names = ["none", "offline", "online"]
}

/// A hint to the player's friends, in all games: the player has come, or has gone for longer than
/// `PresenceLimits.goneMilliseconds`. Read the truth with `GetProfiles` or `ListFriends` when a
/// session begins and after a `ServiceRestored` of the request service, which has forgotten who had
/// been told what: friends who were connected are told as online again as they come back, and of
/// those who do not come back nobody is told anything.
public struct PresenceChanged: Event {
  public static let opcode = Opcode(.request, 0xC0)
  public static var way: EventWay { .hint }
  public var player = PlayerID()
  public var presence = Presence()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("presence", &presence)
  }
}

/// The limits of presence.
public enum PresenceLimits {
  /// How long a player must be without a connection before friends are told: a reconnect tells
  /// nothing.
  public static let goneMilliseconds: Int64 = 5_000
  /// How long nobody is told of a player again: who comes and goes, or shows and hides it, makes
  /// this many hints to all friends at most. The last state wins.
  public static let againMilliseconds: Int64 = 15_000
  /// How long after a friendship has begun the two are told of each other: by then both sides know
  /// of it.
  public static let newFriendMilliseconds: Int64 = 1_000
  /// How long a hint waits for which a player's budget has no room, and how often those are looked
  /// at: a friend's next state within that time takes its place.
  public static let lateMilliseconds: Int64 = 1_000
  /// Friends who are told in one step.
  public static let toldPerStep = 64
  /// Hints about presence that a process sends, of all its players: far fewer than may be under way
  /// at once while each takes a tenth of a second. Whatever is over it comes later.
  public static let hintsPerSecond: Int64 = 5_000
}
