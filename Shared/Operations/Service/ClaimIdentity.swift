public import Wire

// What the gateway and the request service say to each other about identities. At an identity's key
// is whose it is, and which proofs were used; at a player's key is the list of identities. Each
// message below is a call of the gateway's, an effect, or both, and does no harm when it is
// repeated or late: a `link`, drawn for each time that an identity comes to a player, says which
// time it is about. Of two links of one player the later is the greater.

/// Sent by the gateway, which has verified a proof: says whose the identity is, and gives one that
/// is nobody's to a player. Uses the proof up, for all but the same attempt.
///
/// Sent in the name of an operator, too, who brings somebody new and whose word stands for a proof:
/// that one is kept only with whom it has made. It is the first step of such an import, and the
/// audit has it, with `player`: whoever has an identity can sign in as its player.
///
/// Errors: `invalidCredential` (the proof was used in another attempt, or has expired),
/// `rateLimited` (too many proofs are valid still), `invalidArgument` (displayName).
public struct ClaimIdentity: Operation {
  public static let opcode = Opcode(.request, 0x70)
  public static var access: Access { [.gateway, .gatewayForOperator] }
  public static var routing: Routing { .firstIdentifier }
  public var identity = RoutingKey()
  /// Names the proof.
  public var proof = RoutingKey()
  /// From when on the proof is refused for its age; milliseconds since 1970.
  public var until: Int64 = 0
  /// A keyed hash of the attempt.
  public var attempt = RoutingKey()
  /// Who gets an identity that is nobody's; nil for a new player, whose id is drawn here.
  public var player = PlayerID()
  /// Of `player`, who has reserved it.
  public var link: UInt64 = 0
  // Of a new player.
  public var provider = ""
  public var subject = ""
  public var displayName = ""
  /// True where `player` is a new one, whose id the gateway has drawn.
  public var makesPlayer = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &identity)
    visit.field("proof", &proof)
    visit.field("until", &until)
    visit.field("attempt", &attempt)
    visit.field("player", &player)
    visit.field("link", &link)
    visit.field("provider", &provider)
    visit.field("subject", &subject)
    visit.field("displayName", &displayName)
    visit.field("makesPlayer", &makesPlayer)
  }

  public struct Reply: Message {
    public var owner = PlayerID()
    public var link: UInt64 = 0
    /// True while the owner is the player who was made for this identity: the row of that player
    /// may be under way.
    public var makesPlayer = false
    /// True when this call, or an earlier one with the same proof, has made the owner.
    public var isNew = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("owner", &owner)
      visit.field("link", &link)
      visit.field("makesPlayer", &makesPlayer)
      visit.field("isNew", &isNew)
    }
  }
}

/// Sent by the gateway: the holder of an identity gets a credential for a device. It carries what
/// makes a new player, so that no effect has to arrive before it.
///
/// Errors: `invalidCredential` (the identity is not the player's any more), `banned`,
/// `invalidArgument` (deviceName), `limitReached`.
public struct EnrollDevice: Operation {
  public static let opcode = Opcode(.request, 0x71)
  public typealias Reply = Empty
  public static var access: Access { .gateway }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var holding = IdentityHolding()
  public var device = DeviceID()
  public var secretHash = KeyedHash()
  public var deviceName = ""
  /// As in `RegisterDevice`.
  public var otherHashes: [KeyedHash] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("holding", &holding)
    visit.field("device", &device)
    visit.field("secretHash", &secretHash)
    visit.field("deviceName", &deviceName)
    visit.field("otherHashes", &otherHashes)
  }
}

/// That an identity is a player's.
public struct IdentityHolding: Message, Hashable {
  public var identity = RoutingKey()
  public var link: UInt64 = 0
  /// True for the identity that the player was made for; the rest is of such a player.
  public var makesPlayer = false
  public var provider = ""
  public var subject = ""
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &identity)
    visit.field("link", &link)
    visit.field("makesPlayer", &makesPlayer)
    visit.field("provider", &provider)
    visit.field("subject", &subject)
    visit.field("displayName", &displayName)
  }
}
