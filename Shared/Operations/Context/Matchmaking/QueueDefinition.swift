public import Wire

/// What a game declares of one player group's queue, field by field as in the file for `muster
/// apply`. A player group without a declaration takes 2 to 16 players, has no rules, and its
/// tickets wait for ten minutes.
public struct QueueDefinition: Message, Hashable {
  public var playerGroup = ""
  /// The least and the most players of a match. A ticket that asks for fewer asks for the least.
  public var minPlayers: UInt32 = 2
  public var maxPlayers: UInt32 = 16
  /// How long a ticket waits before it expires.
  public var lifetimeSeconds: UInt32 = 600
  /// The regions that tickets give their latencies to, for a rule about latency.
  public var regions: [String] = []
  public var rules: [MatchRule] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerGroup", &playerGroup)
    visit.field("minPlayers", &minPlayers)
    visit.field("maxPlayers", &maxPlayers)
    visit.field("lifetimeSeconds", &lifetimeSeconds)
    visit.field("regions", &regions)
    visit.field("rules", &rules)
  }
}

/// A rule that the tickets of one match keep. Each ticket has it as loose as its own waiting time
/// makes it, and two tickets fit only where both of them accept the other.
public struct MatchRule: Message, Hashable {
  public var kind = MatchRuleKind()
  /// The name of the number or word; empty for the other kinds.
  public var property = ""
  /// The first one is at 0 seconds; later ones never ask for more than those before.
  public var steps: [MatchRuleStep] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("kind", &kind)
    visit.field("property", &property)
    visit.field("steps", &steps)
  }
}

/// What a rule asks for from a waiting time on.
public struct MatchRuleStep: Message, Hashable {
  /// Seconds since the ticket came.
  public var after: UInt32 = 0
  /// A number's greatest difference; the greatest latency in milliseconds; the least players of a
  /// match. A word has none: it is equal, or any.
  public var limit: UInt32 = 0
  /// Whether the rule asks for nothing from here on.
  public var isAny = false
  public init() {}
  public init(after: UInt32, limit: UInt32 = 0, isAny: Bool = false) {
    self.after = after
    self.limit = limit
    self.isAny = isAny
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("after", &after)
    visit.field("limit", &limit)
    visit.field("isAny", &isAny)
  }
}

/// What a rule, or a reason why a ticket was not matched, is about.
public struct MatchRuleKind: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The difference of a number, such as a skill.
  public static let number = Self(rawValue: 0)
  /// Equality of a word, such as a map.
  public static let word = Self(rawValue: 1)
  /// All players of a match have at most so many milliseconds to one of the queue's regions.
  public static let latency = Self(rawValue: 2)
  /// How many players a match has at least.
  public static let size = Self(rawValue: 3)
  /// The player attributes, which must make up all ones; a reason alone.
  public static let attributes = Self(rawValue: 4)
  /// Nobody else waited; a reason alone.
  public static let nobody = Self(rawValue: 5)

  public static let names = ["number", "word", "latency", "size", "attributes", "nobody"]
}
