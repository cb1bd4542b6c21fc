public import Domain
public import Operations
public import Wire

/// A board's definition.
public struct BoardRow: Row {
  public static let tableID: UInt16 = 16
  public static let tableName = "board"
  public var key = RoutingKey()
  public var game = ""
  public var definition = LeaderboardDefinition()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    definition.fields(&visit)
  }
}

public struct EntryKey: Message, Hashable {
  public var boardKey = RoutingKey()
  public var player = PlayerID()
  public init() {}
  public init(boardKey: RoutingKey, player: PlayerID) {
    self.boardKey = boardKey
    self.player = player
  }
  public static var isFrozen: Bool { true }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
  }
}

/// A player's aggregate on a board.
public struct EntryRow: Row {
  public static let tableID: UInt16 = 17
  public static let tableName = "entry"
  public var key = EntryKey()
  public var value: Int64 = 0
  public var context: UInt64 = 0
  public var date: Int64 = 0
  /// The board's order of arrival, which decides between equal values.
  public var arrival: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("date", &date)
    visit.field("arrival", &arrival)
  }
}

public struct OpenChallengeKey: Message, Hashable {
  public var boardKey = RoutingKey()
  public var challenge = ChallengeID()
  public init() {}
  public init(boardKey: RoutingKey, challenge: ChallengeID) {
    self.boardKey = boardKey
    self.challenge = challenge
  }
  public static var isFrozen: Bool { true }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("challenge", &challenge)
  }
}

/// An open challenge at its board, which alone decides what becomes of it.
public struct OpenChallengeRow: Row {
  public static let tableID: UInt16 = 18
  public static let tableName = "open_challenge"
  public var key = OpenChallengeKey()
  /// The board's order of arrival.
  public var arrival: UInt64 = 0
  public var challenge = Challenge()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("arrival", &arrival)
    challenge.fields(&visit)
  }
}

public struct PlayerChallengeKey: Message, Hashable {
  public var player = PlayerID()
  public var challenge = ChallengeID()
  public init() {}
  public init(player: PlayerID, challenge: ChallengeID) {
    self.player = player
    self.challenge = challenge
  }
  public static var isFrozen: Bool { true }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("challenge", &challenge)
  }
}

/// A challenge in its receiver's or its issuer's list, as told by the board.
public struct PlayerChallengeRow: Row {
  public static let tableID: UInt16 = 19
  public static let tableName = "player_challenge"
  public var key = PlayerChallengeKey()
  public var game = ""
  public var challenge = Challenge()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    challenge.fields(&visit)
  }
}
