public import Wire

/// Sent by players, game servers and the operator: returns what others may know of a player.
/// Changes nothing.
///
/// Errors: `notReachable` when the player is unknown, was erased or blocks the caller, which are
/// not told apart. Cost: three look-ups.
public struct GetProfile: Operation {
  public static let opcode = Opcode(.request, 0x10)
  public typealias Reply = Profile
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}

/// What others may know of a player.
public struct Profile: Message, Hashable {
  public var player = PlayerID()
  public var displayName = ""
  /// True when the player has signed in to the caller's game.
  public var isAppUser = false
  /// False when the player is unknown, was erased or blocks the caller, which are not told apart.
  /// Nothing but `player` is told then.
  public var isReachable = false
  /// The name that the player has chosen to be known by; empty where the player has none besides
  /// the display name.
  public var alias = ""
  /// The player's photos, which `ReadPhoto` returns; nil where there is none.
  public var smallPhoto = PhotoID()
  public var normalPhoto = PhotoID()
  /// Told to friends alone.
  public var presence = Presence()
  /// Told to the player alone: whether friends are told when the player comes and goes.
  public var showsPresence: Bool?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("displayName", &displayName)
    visit.field("isAppUser", &isAppUser)
    visit.field("isReachable", &isReachable)
    visit.field("alias", &alias)
    visit.field("smallPhoto", &smallPhoto)
    visit.field("normalPhoto", &normalPhoto)
    visit.field("presence", &presence)
    visit.field("showsPresence", &showsPresence)
  }
}
