public import Wire

/// A context as its participants see it.
public struct ContextInfo: Message, Hashable {
  public var context = ContextID()
  /// The generation counts from 1; it goes up by one when a closed context is opened again.
  public var generation: UInt32 = 0
  public var form = ContextForm()
  /// Players who have not left, the invited ones included.
  public var size: UInt32 = 0
  /// Everyone who is or was in this generation, in the order of their arrival.
  public var players: [ContextPlayer] = []
  /// When this generation began, in milliseconds since 1970.
  public var createdAt: Int64 = 0
  /// When somebody last created, entered or left it, in milliseconds since 1970.
  public var lastActiveAt: Int64 = 0
  /// Whether something was played in this generation: a match that began, or a move.
  public var hasPlayed = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("form", &form)
    visit.field("size", &size)
    visit.field("players", &players)
    visit.field("createdAt", &createdAt)
    visit.field("lastActiveAt", &lastActiveAt)
    visit.field("hasPlayed", &hasPlayed)
  }
}

/// One player of a context.
public struct ContextPlayer: Message, Hashable {
  public var player = PlayerID()
  public var role = ContextRole()
  public var state = ContextPlayerState()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("role", &role)
    visit.field("state", &state)
  }

  public init(player: PlayerID, role: ContextRole, state: ContextPlayerState) {
    self.player = player
    self.role = role
    self.state = state
  }
}

/// How a context was created, which decides who can be in it.
public struct ContextForm: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The context of one player; nobody else can enter.
  public static let solo = Self(rawValue: 0)
  /// The one context of two friends in a game.
  public static let pair = Self(rawValue: 1)
  /// Any number of players, who come as its join policy says.
  public static let group = Self(rawValue: 2)
  /// The players whom matchmaking has put together.
  public static let matched = Self(rawValue: 3)

  public static let names = ["solo", "pair", "group", "matched"]
}

/// The part that a player has in a context.
public struct ContextRole: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let participant = Self(rawValue: 0)
  /// The player who created this generation.
  public static let owner = Self(rawValue: 1)

  public static let names = ["participant", "owner"]
}

/// Whether a player is in a context.
public struct ContextPlayerState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The player may enter and has not yet.
  public static let invited = Self(rawValue: 0)
  public static let active = Self(rawValue: 1)
  public static let left = Self(rawValue: 2)

  public static let names = ["invited", "active", "left"]
}
