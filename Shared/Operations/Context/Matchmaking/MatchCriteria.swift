public import Wire

/// What a ticket asks for and offers.
public struct MatchCriteria: Message, Hashable {
  /// Players of the match, the ticket's own included; at least 2.
  public var minPlayers: UInt32 = 2
  /// A greater number than `MatchmakingLimits.playersMax` is taken as that.
  public var maxPlayers: UInt32 = 2
  /// A mask that makes up all ones together with those of the match's other tickets; 0 for none.
  public var playerAttributes: UInt32 = 0
  public var numbers: [TicketNumber] = []
  public var words: [TicketWord] = []
  public var latencies: [TicketLatency] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("minPlayers", &minPlayers)
    visit.field("maxPlayers", &maxPlayers)
    visit.field("playerAttributes", &playerAttributes)
    visit.field("numbers", &numbers)
    visit.field("words", &words)
    visit.field("latencies", &latencies)
  }

  /// Why no ticket may ask for this, whatever its queue is; nil when one may.
  public var fault: Failure? {
    guard minPlayers >= 2 else {
      return .unfit("minPlayers", "A match has at least 2 players.")
    }
    guard minPlayers <= MatchmakingLimits.playersMax, minPlayers <= maxPlayers else {
      return .unfit("minPlayers", "The least players are more than the most.")
    }
    let most = MatchmakingLimits.propertiesMax
    for (name, names) in [
      ("numbers", numbers.map(\.name)), ("words", words.map(\.name)),
      ("latencies", latencies.map(\.region)),
    ] {
      guard names.count <= most, Set(names).count == names.count,
        names.allSatisfy(PlayerGroup.isProperty)
      else { return .unfit(name, "A ticket has at most \(most) \(name), each name once.") }
    }
    guard words.allSatisfy({ $0.word.utf8.count <= MatchmakingLimits.propertyBytesMax }) else {
      return .unfit("words", "A word has at most \(MatchmakingLimits.propertyBytesMax) bytes.")
    }
    return nil
  }
}

/// A number that a rule compares, such as a skill.
public struct TicketNumber: Message, Hashable {
  public var name = ""
  public var value: Int64 = 0
  public init() {}
  public init(_ name: String, _ value: Int64) {
    self.name = name
    self.value = value
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("value", &value)
  }
}

/// A word that a rule compares, such as a map.
public struct TicketWord: Message, Hashable {
  public var name = ""
  public var word = ""
  public init() {}
  public init(_ name: String, _ word: String) {
    self.name = name
    self.word = word
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("word", &word)
  }
}

/// The time of a round trip to a region. A region that is not named is unknown, and not near.
public struct TicketLatency: Message, Hashable {
  public var region = ""
  public var milliseconds: UInt32 = 0
  public init() {}
  public init(_ region: String, _ milliseconds: UInt32) {
    self.region = region
    self.milliseconds = milliseconds
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("region", &region)
    visit.field("milliseconds", &milliseconds)
  }
}
