public import Wire

/// Sent by a player: returns the identities that the caller can sign in with.
///
/// Cost: `AccountLimits.identitiesMax` look-ups.
public struct ListIdentities: Operation {
  public static let opcode = Opcode(.request, 0x79)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    /// In the order in which they were linked.
    public var identities: [LinkedIdentity] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("identities", &identities)
    }
  }
}

/// An identity of a player's own; nobody else is told of it.
public struct LinkedIdentity: Message, Hashable {
  /// Names it within Muster.
  public var identity = RoutingKey()
  public var provider = ""
  /// The provider's name for the player.
  public var subject = ""
  /// Milliseconds since 1970.
  public var linkedAt: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &identity)
    visit.field("provider", &provider)
    visit.field("subject", &subject)
    visit.field("linkedAt", &linkedAt)
  }
}

/// Sent by a player: from now on nobody signs in as the caller with an identity. Devices and
/// sessions stay; the identity is free for any player a moment later.
///
/// Errors: `notFound` (identity), `banned` (in any game; `detail` is a `Ban`), `conflict`
/// (identity: it is the last way to sign in). Cost: a row and an effect.
public struct UnlinkIdentity: Operation {
  public static let opcode = Opcode(.request, 0x7A)
  public typealias Reply = Empty
  public var identity = RoutingKey()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("identity", &identity)
  }
}

/// The limits of accounts.
public enum AccountLimits {
  /// Identities of one player, those under way included.
  public static let identitiesMax = 16
  /// Devices of one player. The one that signed in longest ago, and is not connected, makes room.
  public static let devicesMax = 32
  /// Bytes of a device's name.
  public static let deviceNameBytesMax = 128
  /// Proofs of one identity that were used and have not expired.
  public static let proofsMax = 64
  /// How long a place for an identity is kept.
  public static let reservationMilliseconds: Int64 = 10 * 60 * 1000
  /// Bytes of the sentence that a banned player is told.
  public static let banReasonBytesMax = 512
}
