import Domain
import Operations
import Wire

// Identities of providers, and bans.

/// Whose an identity is. The key is a hash of the provider's name and its name for the player,
/// which the player's own row has.
struct IdentityRow: Row {
  static let tableID: UInt16 = 27
  static let tableName = "identity"
  var key = RoutingKey()
  var owner = PlayerID()
  /// Drawn when the identity came to this owner: the time, and bits at random.
  var link: UInt64 = 0
  /// The owner was made for this identity.
  var makesPlayer = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &key)
    visit.field("owner", &owner)
    visit.field("link", &link)
    visit.field("makesPlayer", &makesPlayer)
  }
}

struct UsedProofKey: RowKey, Comparable {
  var identity = RoutingKey()
  var proof = RoutingKey()
  static func < (left: Self, right: Self) -> Bool {
    (left.identity, left.proof) < (right.identity, right.proof)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &identity)
    visit.field("proof", &proof)
  }
}

/// A proof that was used, kept until it would be refused for its age.
struct UsedProofRow: Row {
  static let tableID: UInt16 = 28
  static let tableName = "used_proof"
  var key = UsedProofKey()
  /// A keyed hash of the attempt that may use it again.
  var attempt = RoutingKey()
  var until: Int64 = 0
  /// The link of the player whom it has made; 0 if it has made none.
  var made: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("attempt", &attempt)
    visit.field("until", &until)
    visit.field("made", &made)
  }
}

struct PlayerIdentityKey: RowKey, Comparable {
  var player = PlayerID()
  var identity = RoutingKey()
  static func < (left: Self, right: Self) -> Bool {
    (left.player, left.identity) < (right.player, right.identity)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("identity", &identity)
  }
}

/// How far an identity is one of its player's.
struct HoldingState: OpenEnum {
  var rawValue: UInt8
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A place is kept; whether the identity comes is decided at its own key.
  static let reserved = Self(rawValue: 0)
  static let held = Self(rawValue: 1)
  /// Given up, which the identity's key has not confirmed: nobody signs in with it.
  static let leaving = Self(rawValue: 2)

  static let names = ["reserved", "held", "leaving"]
}

/// An identity in its player's list. A row is added with the player that was made for it, or by the
/// player's own wish, and by nothing that may come late: so what was unlinked does not come back.
struct PlayerIdentityRow: Row {
  static let tableID: UInt16 = 29
  static let tableName = "player_identity"
  var key = PlayerIdentityKey()
  var link: UInt64 = 0
  var state = HoldingState()
  var provider = ""
  var subject = ""
  /// When it was reserved, and later when it was linked; milliseconds since 1970.
  var since: Int64 = 0
  /// Of a place that is reserved: how many calls have reserved it and not given it up.
  var calls: UInt32 = 0
  /// Of a place that is reserved: an operator has reserved or shared it, which the audit has.
  var isImport = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("link", &link)
    visit.field("state", &state)
    visit.field("provider", &provider)
    visit.field("subject", &subject)
    visit.field("since", &since)
    visit.field("calls", &calls)
    visit.field("isImport", &isImport)
  }
}

/// A player who is kept out of a game; with the empty name, out of all.
struct BanRow: Row {
  static let tableID: UInt16 = 30
  static let tableName = "ban"
  var key = PlayerGameKey()
  var since: Int64 = 0
  /// 0 for good.
  var until: Int64 = 0
  var reason = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("since", &since)
    visit.field("until", &until)
    visit.field("reason", &reason)
  }

  var ban: Ban {
    var ban = Ban()
    (ban.game, ban.until, ban.reason) = (key.game, until, reason)
    return ban
  }
}
