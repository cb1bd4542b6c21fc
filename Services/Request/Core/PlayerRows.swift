public import Domain
public import Wire

// Who plays, from which devices and client processes, and in which games.

/// A player of the deployment.
public struct PlayerRow: Row {
  public static let tableID: UInt16 = 16
  public static let tableName = "player"
  public var key = PlayerID()
  public var displayName = ""
  /// Milliseconds since 1970.
  public var created: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("displayName", &displayName)
    visit.field("created", &created)
  }
}

public struct DeviceKey: Message, Hashable {
  public var player = PlayerID()
  public var device = DeviceID()
  public init() {}
  public init(player: PlayerID, device: DeviceID) {
    self.player = player
    self.device = device
  }
  public static var isFrozen: Bool { true }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("device", &device)
  }
}

/// A device's credential.
public struct DeviceRow: Row {
  public static let tableID: UInt16 = 17
  public static let tableName = "device"
  public var key = DeviceKey()
  /// Keyed hash of the secret, made by the gateway; the secret itself is nowhere.
  public var secretHash = Bytes()
  /// From the first sign-in on, the device cannot be registered again.
  public var hasSignedIn = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("secretHash", &secretHash)
    visit.field("hasSignedIn", &hasSignedIn)
  }
}

public struct InstanceKey: Message, Hashable, Comparable {
  public var player = PlayerID()
  public var instance: UInt64 = 0
  public init() {}
  public init(player: PlayerID, instance: UInt64) {
    self.player = player
    self.instance = instance
  }
  public static var isFrozen: Bool { true }
  public static func < (left: Self, right: Self) -> Bool {
    (left.player, left.instance) < (right.player, right.instance)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("instance", &instance)
  }
}

/// A client process that signed in: its session is good for as long as this row is there.
public struct InstanceRow: Row {
  public static let tableID: UInt16 = 18
  public static let tableName = "instance"
  public var key = InstanceKey()
  public var device = DeviceID()
  public var game = ""
  /// When it last opened or lost a connection.
  public var lastUsed: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("device", &device)
    visit.field("game", &game)
    visit.field("lastUsed", &lastUsed)
  }
}

public struct PlayerGameKey: Message, Hashable {
  public var player = PlayerID()
  public var game = ""
  public init() {}
  public init(player: PlayerID, game: String) {
    self.player = player
    self.game = game
  }
  public static var isFrozen: Bool { true }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("game", &game)
  }
}

/// A player who has signed in to a game, and how far the game's clients dealt with its events.
public struct PlayerGameRow: Row {
  public static let tableID: UInt16 = 19
  public static let tableName = "player_game"
  public var key = PlayerGameKey()
  public var firstSignIn: Int64 = 0
  /// The stream's cursor for this game; it never goes back.
  public var acknowledged: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("firstSignIn", &firstSignIn)
    visit.field("acknowledged", &acknowledged)
  }
}
