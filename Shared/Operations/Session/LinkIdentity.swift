public import Wire

/// Sent by a player: links an identity to the caller, who can sign in with it from then on.
///
/// An identity belongs to one player. Of one that is another's the caller learns whose it is, since
/// the proof shows that it is the caller's as well; the game may then ask which player to go on
/// with. With the same proof and attempt it calls `SignUpWithIdentity` to be the other player, or
/// this again with `movesFrom` to take the identity over.
///
/// Errors: `rateLimited` per address, `requiredArgument` (attempt), `notFound` (provider),
/// `invalidCredential` and `unavailable` as of `SignUpWithIdentity`, `limitReached` (after
/// `AccountLimits.identitiesMax`), `rateLimited` (proofs), `conflict` (proof: the identity is
/// another player's, and `detail` is an `IdentityConflict`; movesFrom: it would leave that player
/// without a way to sign in, or the identity is not that player's any more), `banned` (movesFrom:
/// that player, in any game; `detail` is a `Ban`). Repeating the call does no harm. Cost: three to
/// five calls to the request service.
public struct LinkIdentity: Operation {
  public static let opcode = Opcode(.gateway, 0x0C)
  public static var isReadOnly: Bool { true }
  public var proof = IdentityProof()
  /// The player whom the identity is taken from; nil to take it from nobody.
  public var movesFrom = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("proof", &proof)
    visit.field("movesFrom", &movesFrom)
  }

  public struct Reply: Message {
    /// As `ListIdentities` has it.
    public var identity = RoutingKey()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("identity", &identity)
    }
  }
}

/// The two players whom one identity would belong to.
public struct IdentityConflict: Message, Hashable {
  /// Whose the identity is.
  public var owner = PlayerID()
  /// Who would link it.
  public var player = PlayerID()
  public init() {}
  public init(owner: PlayerID, player: PlayerID) {
    self.owner = owner
    self.player = player
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("owner", &owner)
    visit.field("player", &player)
  }
}
