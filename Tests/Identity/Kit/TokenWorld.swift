import Identity

/// A token provider, its keys, and a player who signs in.
struct TokenWorld {
  var provider: TokenProvider
  /// The key that signs, and its id, which tokens of a provider with one configured key leave out.
  var key: SigningKey
  var keyID: String?
  /// The keys that the provider publishes.
  var document: String?
  var nonce: String?
  /// The nonce as a right token has it.
  var nonceClaim: String?
  let now: Int64 = 1_700_000_000_000

  var seconds: Int64 { now / 1000 }
  var algorithm: String { key.isRSA ? "RS256" : "ES256" }

  var header: [(String, String)] {
    var fields = [("alg", quoted(algorithm)), ("typ", "\"JWT\"")]
    if let keyID { fields.append(("kid", quoted(keyID))) }
    return fields
  }

  var claims: [(String, String)] {
    var fields = [
      ("iss", quoted(provider.issuers[0])), ("aud", quoted(provider.audiences[0])),
      ("sub", "\"001234.player.0042\""), ("iat", "\(seconds - 5)"), ("exp", "\(seconds + 300)"),
      ("email", "\"player@example.com\""), ("email_verified", "true"),
    ]
    if let nonceClaim { fields.append(("nonce", quoted(nonceClaim))) }
    return fields
  }

  /// A token of these parts, signed with the right key.
  func token(header: [(String, String)]? = nil, claims: [(String, String)]? = nil) -> String {
    token(object(header ?? self.header), object(claims ?? self.claims))
  }

  func token(_ header: String, _ claims: String, by other: SigningKey? = nil) -> String {
    let signed = base64URL(bytes(header)) + "." + base64URL(bytes(claims))
    return signed + "." + base64URL((other ?? key).tokenSignature(bytes(signed)))
  }

  /// A token whose signature is made from the signed bytes.
  func token(header: [(String, String)]? = nil, signature: ([UInt8]) -> [UInt8]) -> String {
    let signed = base64URL(bytes(object(header ?? self.header))) + "." + claimsText
    return signed + "." + base64URL(signature(bytes(signed)))
  }

  var claimsText: String { base64URL(bytes(object(claims))) }

  /// The keys as a gateway that has just fetched them holds them.
  func cache() throws -> KeyCache {
    guard let document else {
      return KeyCache(KeySet([try VerificationKey(pem: key.pem, keyID: keyID)]))
    }
    var cache = KeyCache(
      url: "https://keys.example/jwks", format: .document(provider.algorithms))
    guard case .fetch(let order) = cache.advice(for: nil, arrival: now, now: now) else {
      throw TestFault.noFetch
    }
    try cache.fetched(order, document: bytes(document), freshSeconds: 3600, now: now)
    return cache
  }

  /// The whole way of a proof through the module.
  func signIn(
    _ token: String, nonce: String?? = nil, at time: Int64? = nil
  ) throws -> VerifiedIdentity {
    var cache = try cache()
    let compact = try CompactToken(bytes(token))
    let time = time ?? now
    switch cache.advice(for: compact.keyID, arrival: now, now: now) {
    case .verify(let key, _):
      return try provider.verify(compact, with: key, nonce: nonce ?? self.nonce, now: time)
    case .refuse(let error): throw error
    default: throw TestFault.noDecision
    }
  }
}

enum TestFault: Error { case noFetch, noDecision }

extension TokenWorld {
  static let rawNonce = "n-0S6_WzA2Mj.7f3k9"

  static func apple() -> Self {
    Self(
      provider: .apple(audiences: ["com.example.game"]), key: Keys.rsa, keyID: "fh6Bs8C",
      document: published(["fh6Bs8C": Keys.rsa, "W6WcOKB": Keys.p256]), nonce: rawNonce,
      // printf %s 'n-0S6_WzA2Mj.7f3k9' | sha256sum
      nonceClaim: "c87cf86f491d1123c76fd378725ba6594c861b12bdf2a2fde00c20e0a6db6d52")
  }

  static func google() -> Self {
    Self(
      provider: .google(audiences: ["1234-web.apps.googleusercontent.com"]), key: Keys.rsa,
      keyID: "f83340", document: published(["f83340": Keys.rsa, "0cb29d": Keys.rsaNext]),
      nonce: rawNonce, nonceClaim: rawNonce)
  }

  static func facebook() -> Self {
    Self(
      provider: .facebookLimitedLogin(appID: "530053863835233"), key: Keys.rsa,
      keyID: "a7906f1", document: published(["a7906f1": Keys.rsa, "b83d1f0": Keys.rsaNext]),
      nonce: rawNonce, nonceClaim: rawNonce)
  }

  /// A game's own back end with a PEM key, here of P-256.
  static func custom() -> Self {
    Self(
      provider: .custom(
        name: "chess", issuer: "https://login.chess.example", audience: "muster-chess"),
      key: Keys.p256)
  }

  static func published(_ keys: [String: SigningKey]) -> String {
    let entries = keys.sorted { $0.key < $1.key }.map { id, key in
      key.jwk(id, [("use", "\"sig\""), ("alg", key.isRSA ? "\"RS256\"" : "\"ES256\"")])
    }
    return "{\"keys\":[\(entries.joined(separator: ","))]}"
  }
}
