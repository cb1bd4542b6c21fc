public import Wire

/// Sent by an operator who brings players from another system: returns the player whom an identity
/// belongs to, and makes one for an identity that is nobody's. The player signs in with the
/// identity later, by `SignUpWithIdentity`. With `player`, an identity that is nobody's comes to
/// that player instead.
///
/// No proof is asked for: the operator vouches for what the other system knew. Repeating the call
/// makes no second player. The audit of the request service has each import that changes something,
/// once: as `ReserveIdentity` with `player`, and as `ClaimIdentity` without.
///
/// Errors: `notFound` (provider, which this deployment has not set up), `invalidArgument` (subject;
/// displayName, of a new player), `notAuthenticated` (there is no `player`), `limitReached` (after
/// `AccountLimits.identitiesMax` of `player`), `conflict` (the identity is another player's, and
/// `detail` is an `IdentityConflict`), `unavailable` (the identity is of a player who is being
/// erased). Cost: two or three calls to the request service with three rows.
public struct ImportPlayer: Operation {
  public static let opcode = Opcode(.gateway, 0x0D)
  public static var access: Access { .deploymentOperator }
  public static var isReadOnly: Bool { true }
  /// The name that clients use for the provider.
  public var provider = ""
  /// The provider's name for the player: 1 to 255 printable ASCII characters without blanks.
  public var subject = ""
  /// The name of a new player.
  public var displayName = ""
  /// Who gets the identity; nil for a new player.
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("provider", &provider)
    visit.field("subject", &subject)
    visit.field("displayName", &displayName)
    visit.field("player", &player)
  }

  public struct Reply: Message {
    /// Whose the identity is. The player can be named in other calls from now on.
    public var player = PlayerID()
    /// True when the player was made by this call, or by one of the minute before.
    public var isNew = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("player", &player)
      visit.field("isNew", &isNew)
    }
  }
}
