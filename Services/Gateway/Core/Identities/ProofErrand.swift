import Identity
public import Operations
public import Wire

/// A proof that came with a call, and what the call wants with it.
public struct ProofErrand: Sendable {
  enum Purpose: Sendable {
    case signUp(SignUpWithIdentity)
    case link(PlayerID, movesFrom: PlayerID)
  }

  public let proof: IdentityProof
  let nonce: GivenNonce?
  /// When the proof came, by the clock of the desk that it is brought to.
  public var arrival: Int64 = 0
  let purpose: Purpose
}

/// A nonce that a gateway has made for the attempt of the proof.
struct GivenNonce: Sendable {
  var text: String
  /// Milliseconds since 1970.
  var expiresAt: Int64
}

/// Who a proof says a player is, as the request service is told.
public struct CheckedProof: Hashable, Sendable {
  /// Within which subjects are told apart; clients may use a shorter name.
  public var provider: String
  public var subject: String
  /// Names the proof.
  public var mark: RoutingKey
  /// From when on the proof is refused for its age; milliseconds since 1970.
  public var until: Int64

  public init(provider: String, subject: String, mark: RoutingKey, until: Int64) {
    self.provider = provider
    self.subject = subject
    self.mark = mark
    self.until = until
  }

  /// Where the identity's state is. Nobody finds a second name for a key, so that two identities
  /// have two.
  public var identity: RoutingKey { RoutingKey(game: "identity \(provider)", name: subject) }
}

extension CheckedProof {
  /// A proof with a nonce counts by the nonce: so does another token that the provider has made for
  /// the same one.
  init(_ identity: VerifiedIdentity, _ nonce: GivenNonce?) {
    self.init(
      provider: identity.provider, subject: identity.subject,
      mark: RoutingKey(bytes: Array(identity.proofHash.prefix(16))) ?? RoutingKey(),
      until: identity.validUntil)
    if let nonce {
      mark = RoutingKey(game: "nonce", name: nonce.text)
      until = min(until, nonce.expiresAt)
    }
  }
}
