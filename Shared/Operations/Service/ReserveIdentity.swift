public import Wire

/// Sent by the gateway for a player who links an identity, or in the name of an operator who brings
/// one for the player: keeps a place for it in the player's list, so that the bound of the list
/// holds whatever comes at once. Calls that come at once share it. A place that is not taken is
/// given up when all of them have (`SettleIdentity`), and after
/// `AccountLimits.reservationMilliseconds`. An import shares a place uncounted, and gives none up.
/// It is the first step of both, and the audit has that of the operator: whoever has an identity of
/// a player can sign in as that player.
///
/// Errors: `notAuthenticated` (there is no such player any more), `limitReached`.
public struct ReserveIdentity: Operation {
  public static let opcode = Opcode(.request, 0x72)
  public static var access: Access { [.gateway, .gatewayForOperator] }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var identity = RoutingKey()
  public var provider = ""
  public var subject = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("identity", &identity)
    visit.field("provider", &provider)
    visit.field("subject", &subject)
  }

  public struct Reply: Message {
    public var link: UInt64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("link", &link)
    }
  }
}

/// A call and an effect: tells a player's list what was decided at the identity's key. Where the
/// list has the identity by another link, the identity's key is told that one; where the list does
/// not have it, the identity becomes nobody's.
public struct SettleIdentity: Operation {
  public static let opcode = Opcode(.request, 0x73)
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var holding = IdentityHolding()
  /// True where the identity is the player's, false where it is not, or not any more.
  public var isHeld = false
  public init() {}
  public init(_ player: PlayerID, _ identity: RoutingKey, link: UInt64, isHeld: Bool) {
    self.player = player
    holding.identity = identity
    holding.link = link
    self.isHeld = isHeld
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("holding", &holding)
    visit.field("isHeld", &isHeld)
  }

  public struct Reply: Message {
    /// Whether the player has the identity now, by the link of the call.
    public var isHeld = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isHeld", &isHeld)
    }
  }
}

/// Sent by the gateway for another player, who has proved to hold the identity too: the player
/// gives the identity up, to the one who has reserved it.
///
/// Errors: `conflict` (it is not the player's any more), `banned` (in any game; `detail` is a
/// `Ban`), `conflict` (the last way to sign in).
public struct GiveUpIdentity: Operation {
  public static let opcode = Opcode(.request, 0x74)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var pass = PassIdentity()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("pass", &pass)
  }
}

/// A call and an effect: its owner has given an identity up, to another player or to nobody, or has
/// a newer link to it.
public struct PassIdentity: Operation {
  public static let opcode = Opcode(.request, 0x75)
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var identity = RoutingKey()
  /// The owner's.
  public var from: UInt64 = 0
  /// The next owner; nil for nobody.
  public var player = PlayerID()
  /// The next owner's.
  public var link: UInt64 = 0
  /// Who has given it up, and is told when it is gone; nil where nobody waits for that.
  public var owner = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &identity)
    visit.field("from", &from)
    visit.field("player", &player)
    visit.field("link", &link)
    visit.field("owner", &owner)
  }

  public struct Reply: Message {
    /// Whether the identity is `player`'s now.
    public var isPassed = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isPassed", &isPassed)
    }
  }
}

/// A timer's, at an identity's key: forgets the proofs that are refused for their age by now.
///
/// Cost: a row for each.
public struct ExpireProofs: Operation {
  public static let opcode = Opcode(.request, 0x76)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

/// A timer's, at a player's key: gives up the places that were kept for identities in vain, forgets
/// the bans that are over, and removes an account that nobody has used for so long that it expires.
///
/// Cost: a row for each.
public struct ExpireReservations: Operation {
  public static let opcode = Opcode(.request, 0x77)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
