public import Wire

/// A fact about a game: the rules of its achievements.
public struct FetchAchievementRules: FactQuestion {
  public static let opcode = Opcode(.leaderboard, 0x45)
  /// The key of the game.
  public var key = RoutingKey()
  public init() {}
  public init(of game: String) { key = RoutingKey(game: game) }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
  }

  public struct Reply: Message {
    public var rules: [AchievementRule] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("rules", &rules)
    }
  }
}

/// A fact about a player: the achievements that `player` has reported in the caller's game.
public struct FetchReportedAchievements: FactQuestion {
  public static let opcode = Opcode(.leaderboard, 0x46)
  public var player = PlayerID()
  public init() {}
  public init(of player: PlayerID) { self.player = player }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public struct Reply: Message {
    public var achievements: [ReportedAchievement] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("achievements", &achievements)
    }
  }
}

/// What a report or a challenge must know of a game's achievement.
public struct AchievementRule: Message, Hashable {
  public var achievement = ""
  public var isHidden = false
  public var isReplayable = false

  @inlinable public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("achievement", &achievement)
    visit.field("isHidden", &isHidden)
    visit.field("isReplayable", &isReplayable)
  }
}

/// An achievement that a player has reported.
public struct ReportedAchievement: Message, Hashable {
  public var achievement = ""
  public var isCompleted = false

  @inlinable public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("achievement", &achievement)
    visit.field("isCompleted", &isCompleted)
  }
}
