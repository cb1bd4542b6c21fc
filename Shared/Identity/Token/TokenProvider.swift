import Wire

/// Whose tokens are believed, and what they have to say.
public struct TokenProvider: Sendable, Hashable {
  /// What the deployment calls the provider. Two providers whose subjects may be the same text for
  /// different players need different names.
  public let name: String
  /// The issuers that a token may name.
  public var issuers: [String]
  /// What the provider calls the game: its client ids. A token must be for one of them.
  public var audiences: [String]
  /// Who may have asked for the token besides the audiences themselves, where the token says so.
  public var authorizedParties: [String] = []
  /// The algorithms that keys of the provider's document may have.
  public var algorithms: Set<SignatureAlgorithm> = [.rs256]
  /// Where the document of keys is; nil if keys are configured.
  public var keysURL: String?
  public var nonce: NonceRule
  /// By how much clocks may differ, in seconds.
  public var leewaySeconds: Int64 = 60
  /// How long after its issue a token is taken, in seconds, even if it expires later.
  public var ageSecondsMax: Int64 = 3600

  public init(
    name: String, issuers: [String], audiences: [String], keysURL: String? = nil, nonce: NonceRule
  ) {
    self.name = name
    self.issuers = issuers
    self.audiences = audiences
    self.keysURL = keysURL
    self.nonce = nonce
  }
}

/// What a token's nonce must be. A nonce ties a token to one sign-in, so that a token that somebody
/// else has got hold of is of no use.
public enum NonceRule: Hashable, Sendable {
  /// The provider's tokens need none.
  case notUsed
  /// The nonce of the sign-in as it is. Whoever has the token can read it there, so that it must be
  /// one that the gateway has made for this sign-in.
  case plain
  /// SHA-256 of the nonce of the sign-in, in lowercase hexadecimal digits: the game gives the
  /// provider the hash and the gateway the nonce itself.
  case sha256Hex

  /// Compares the nonce of a token with that of the sign-in.
  func check(_ claim: JSON?, given: String?) throws(IdentityError) {
    guard self != .notUsed else { return }
    guard let given, !given.isEmpty else { throw .nonceNotGiven }
    guard let claim else { throw .claimMissing(.nonce) }
    guard let text = claim.text else { throw .claimMalformed(.nonce) }
    let wanted = self == .plain ? given : Hexadecimal.text(sha256(Array(given.utf8)))
    guard isSame(text, wanted) else { throw .nonceWrong }
  }
}
