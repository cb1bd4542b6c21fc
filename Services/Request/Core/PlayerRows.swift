import Domain
import Operations
import Wire

// Players, their devices, client processes and games.

/// A player of the deployment.
struct PlayerRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "player"
  var key = PlayerID()
  var displayName = ""
  /// Milliseconds since 1970.
  var created: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("displayName", &displayName)
    visit.field("created", &created)
  }
}

struct DeviceKey: RowKey, Comparable {
  var player = PlayerID()
  var device = DeviceID()
  static func < (left: Self, right: Self) -> Bool {
    (left.player, left.device) < (right.player, right.device)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("device", &device)
  }
}

/// A device's credential.
struct DeviceRow: Row {
  static let tableID: UInt16 = 17
  static let tableName = "device"
  var key = DeviceKey()
  var secretHash = KeyedHash()
  /// From the first sign-in on, the device cannot be registered again.
  var hasSignedIn = false
  /// What the device calls itself; may be empty.
  var name = ""
  /// The provider of the identity that the credential was made for; empty for a player's first.
  var provider = ""
  /// Times in milliseconds since 1970; 0 in rows of earlier versions.
  var added: Int64 = 0
  var lastSignIn: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("secretHash", &secretHash)
    visit.field("hasSignedIn", &hasSignedIn)
    visit.field("name", &name)
    visit.field("provider", &provider)
    visit.field("added", &added)
    visit.field("lastSignIn", &lastSignIn)
  }
}

struct InstanceKey: RowKey, Comparable {
  var player = PlayerID()
  var instance: UInt64 = 0
  static func < (left: Self, right: Self) -> Bool {
    (left.player, left.instance) < (right.player, right.instance)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("instance", &instance)
  }
}

/// A client process that signed in. Its session can be resumed for as long as this row is there.
struct InstanceRow: Row {
  static let tableID: UInt16 = 18
  static let tableName = "instance"
  var key = InstanceKey()
  var device = DeviceID()
  var game = ""
  /// When it last opened or lost a connection, or a timer found it connected.
  var lastUsed: Int64 = 0
  /// When it signed in; 0 in rows of earlier versions.
  var began: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("device", &device)
    visit.field("game", &game)
    visit.field("lastUsed", &lastUsed)
    visit.field("began", &began)
  }
}

struct PlayerGameKey: RowKey {
  var player = PlayerID()
  var game = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("game", &game)
  }
}

/// A game that a player has signed in to, and how far its clients have acknowledged the player's
/// events.
struct PlayerGameRow: Row {
  static let tableID: UInt16 = 19
  static let tableName = "player_game"
  static let perPlayerMax = SessionLimits.gamesPerPlayerMax
  var key = PlayerGameKey()
  var firstSignIn: Int64 = 0
  /// The stream's cursor for this game; it never goes back.
  var acknowledged: UInt64 = 0
  /// The last event of this game that is not kept any more.
  var removedThrough: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("firstSignIn", &firstSignIn)
    visit.field("acknowledged", &acknowledged)
    visit.field("removedThrough", &removedThrough)
  }
}
