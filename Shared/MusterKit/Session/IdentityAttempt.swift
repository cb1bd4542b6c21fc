/// One attempt to sign in with an identity, or to link one: begin it, hand its nonce to the
/// provider, and make the proof of what the provider returns.
///
/// By its number the server knows a repeated call. Keep it secret: a stolen token is of no use
/// without it.
public struct IdentityAttempt: Sendable {
  public let number: RoutingKey
  /// What the provider is to put into its token; empty where the provider needs none.
  public let nonce: String

  /// An attempt without a nonce: for Game Center, Steam, and most back ends of games.
  public init() { self.init(number: .drawn, nonce: "") }

  init(number: RoutingKey, nonce: String) {
    self.number = number
    self.nonce = nonce
  }

  /// What Sign in with Apple is given in place of the nonce: its SHA-256 in hexadecimal digits.
  public var hashedNonce: String {
    var hash = SHA256()
    for byte in nonce.utf8 { hash.add(byte) }
    let words = hash.finish()
    return words.indices.map { place in
      let digits = String(words[place], radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// - Parameters:
  ///   - provider: `apple`, `google`, `facebook`, `steam`, or what the deployment calls the game's
  ///     own back end.
  ///   - token: the provider's token; of Steam the ticket in hexadecimal digits.
  public func proof(provider: String, token: String) -> IdentityProof {
    var proof = IdentityProof()
    (proof.provider, proof.attempt, proof.nonce) = (provider, number, nonce)
    proof.token = Bytes(Array(token.utf8))
    return proof
  }

  public func proof(_ signature: GameCenterSignature) -> IdentityProof {
    var proof = IdentityProof()
    (proof.provider, proof.attempt) = ("gamecenter", number)
    proof.gameCenter = signature
    return proof
  }
}

extension RoutingKey {
  /// At random, so that nobody guesses it, and never nil.
  static var drawn: RoutingKey {
    RoutingKey(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
  }
}

/// What a sign-in with an identity has given.
public struct IdentitySignIn: Sendable {
  /// Keep it: it signs this device in again, without the provider.
  public var credential: Credential
  /// True when the player was made just now.
  public var isNew: Bool
}
