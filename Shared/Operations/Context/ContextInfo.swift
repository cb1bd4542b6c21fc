public import Wire

/// A context as its participants see it; in lists and notices a summary of it, of constant size.
public struct ContextInfo: Message, Hashable {
  public var context = ContextID()
  /// The generation counts from 1; it goes up by one when a closed context is opened again.
  public var generation: UInt32 = 0
  public var form = ContextForm()
  /// Players who have not left, the invited ones included.
  public var size: UInt32 = 0
  /// Everyone who is or was in this generation, in the order of their arrival; of a group only
  /// those who are in it or invited. In a summary of a context with more than four players: the
  /// reader and the first three others.
  public var players: [ContextPlayer] = []
  /// When this generation began, in milliseconds since 1970.
  public var createdAt: Int64 = 0
  /// When somebody last created, entered or left it, in milliseconds since 1970. In the summary of
  /// a group it may lag: other players' lists are told of changes that they show, and not of each
  /// visit.
  public var lastActiveAt: Int64 = 0
  /// Whether something was played in this generation: a match that began, or a move.
  public var hasPlayed = false
  /// A group's name; empty where it has none.
  public var name = ""
  /// The most players that a group can have; 0 for other forms.
  public var sizeMax: UInt32 = 0
  /// A group's join policy.
  public var policy = JoinPolicy()
  /// Open challenges on boards that are linked to the context. In the summary of a group it is 0 or
  /// not as this number is, and may lag else.
  public var openChallenges: UInt32 = 0
  /// How many of the players who have not left never had a session in this game.
  public var newPlayers: UInt32 = 0
  /// Only in the reply to `SwitchContext`: the caller was in this context before.
  public var wasCurrent = false
  /// Only in replies to `GetContext` and to calls that change a group.
  public var details: ContextDetails?
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
    visit.field("name", &name)
    visit.field("sizeMax", &sizeMax)
    visit.field("policy", &policy)
    visit.field("openChallenges", &openChallenges)
    visit.field("newPlayers", &newPlayers)
    visit.field("wasCurrent", &wasCurrent)
    visit.field("details", &details)
  }
}

/// What is said of a context only where it is asked for.
public struct ContextDetails: Message, Hashable {
  /// Players who ask to be let in, the first one first; told to the owner and moderators alone.
  public var requests: [PlayerID] = []
  /// The secret of the group's link; told to the owner and moderators alone, else nil.
  public var link = ContextLink()
  /// The boards that are linked to the context, in the order in which they were.
  public var boards: [LinkedBoard] = []
  /// The number of the context's newest match; 0 before the first one.
  public var matchNumber: UInt64 = 0
  /// Whether that match waits for players or goes on.
  public var isMatchRunning = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("requests", &requests)
    visit.field("link", &link)
    visit.field("boards", &boards)
    visit.field("matchNumber", &matchNumber)
    visit.field("isMatchRunning", &isMatchRunning)
  }
}

/// A board that is linked to a context.
public struct LinkedBoard: Message, Hashable {
  public var board = ""
  public var openChallenges: UInt32 = 0
  public init() {}
  public init(_ board: String, openChallenges: UInt32) {
    self.board = board
    self.openChallenges = openChallenges
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("openChallenges", &openChallenges)
  }
}

/// One player of a context.
public struct ContextPlayer: Message, Hashable {
  public var player = PlayerID()
  public var role = ContextRole()
  public var state = ContextPlayerState()
  /// Whether the player never had a session in this game.
  public var isNew = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("role", &role)
    visit.field("state", &state)
    visit.field("isNew", &isNew)
  }

  public init(
    player: PlayerID, role: ContextRole, state: ContextPlayerState, isNew: Bool = false
  ) {
    self.player = player
    self.role = role
    self.state = state
    self.isNew = isNew
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
  /// The player who created this generation, or to whom the role went from there.
  public static let owner = Self(rawValue: 1)
  /// In a group: invites, answers requests and removes participants.
  public static let moderator = Self(rawValue: 2)

  public static let names = ["participant", "owner", "moderator"]
}

/// Whether a player is in a context.
public struct ContextPlayerState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The player may enter and has not yet.
  public static let invited = Self(rawValue: 0)
  public static let active = Self(rawValue: 1)
  public static let left = Self(rawValue: 2)
  /// In events: the owner or a moderator has removed the player.
  public static let removed = Self(rawValue: 3)
  /// In the reply to `JoinContext`: the player has asked to be let in.
  public static let requested = Self(rawValue: 4)

  public static let names = ["invited", "active", "left", "removed", "requested"]
}
