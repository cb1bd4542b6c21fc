import Identity
import Testing

/// Forged tokens of each provider, one table for each: none is accepted, and each is refused for
/// its own reason.
@Suite("Forged tokens")
struct TokenForgeryTests {
  @Test("Apple: no wrong token is accepted")
  func apple() throws {
    let world = TokenWorld.apple()
    let raw = world.claims.with("nonce", quoted(TokenWorld.rawNonce))
    let shouted = world.claims.with("nonce", quoted(world.nonceClaim?.uppercased() ?? ""))
    let ecHeader = world.header.with("kid", "\"W6WcOKB\"")
    let own = [
      Forgery("the nonce itself in place of its hash", world.token(claims: raw), .nonceWrong),
      Forgery("the hash in capitals", world.token(claims: shouted), .nonceWrong),
      Forgery(
        "the RSA key's token under the id of the P-256 key", world.token(header: ecHeader),
        .algorithmWrong),
      Forgery(
        "the RSA key's signature for the P-256 key",
        world.token(header: ecHeader.with("alg", "\"ES256\"")), .signatureSizeWrong),
      Forgery("Google's token", TokenWorld.google().token(), .keyUnknown),
      Forgery(
        "Google's issuer", world.token(claims: world.claims.with("iss", "\"accounts.google.com\"")),
        .issuerWrong),
      Forgery(
        "a token of another app of the same team",
        world.token(claims: world.claims.with("aud", "\"com.example.other\"")), .audienceWrong),
    ]
    try expectRefused(commonForgeries(world) + rsaForgeries(world) + own, in: world)
  }

  @Test("Google: no wrong token is accepted")
  func google() throws {
    var world = TokenWorld.google()
    let device = "5678-android.apps.googleusercontent.com"
    world.provider.authorizedParties = [device]
    let web = world.claims.with("azp", quoted("9-other.apps.googleusercontent.com"))
    let own = [
      Forgery("asked for by another app", world.token(claims: web), .authorizedPartyWrong),
      Forgery(
        "a party that is nothing", world.token(claims: world.claims.with("azp", "null")),
        .claimMalformed(.authorizedParty)),
      Forgery(
        "the device's own id as audience",
        world.token(claims: world.claims.with("aud", quoted(device))), .audienceWrong),
      Forgery(
        "the hash of the nonce",
        world.token(
          claims: world.claims.with("nonce", quoted(TokenWorld.apple().nonceClaim ?? ""))),
        .nonceWrong),
      Forgery("Apple's token", TokenWorld.apple().token(), .keyUnknown),
      Forgery(
        "another Google address as issuer",
        world.token(claims: world.claims.with("iss", "\"http://accounts.google.com\"")),
        .issuerWrong),
      Forgery(
        "the other key of the same document",
        world.token(object(world.header), object(world.claims), by: Keys.rsaNext),
        .signatureWrong),
    ]
    try expectRefused(commonForgeries(world) + rsaForgeries(world) + own, in: world)
    let right = world.claims.with("azp", quoted(device)).with("iss", "\"accounts.google.com\"")
    _ = try world.signIn(world.token(claims: right))
  }

  @Test("Facebook's limited login: no wrong token is accepted")
  func facebook() throws {
    let world = TokenWorld.facebook()
    let own = [
      Forgery(
        "another app's number",
        world.token(claims: world.claims.with("aud", "\"530053863835234\"")),
        .audienceWrong),
      Forgery(
        "the app's id as a number",
        world.token(claims: world.claims.with("aud", "530053863835233")),
        .claimMalformed(.audience)),
      Forgery(
        "a page of Facebook's as issuer",
        world.token(claims: world.claims.with("iss", "\"https://www.facebook.com/forger\"")),
        .issuerWrong),
      Forgery("Apple's token", TokenWorld.apple().token(), .keyUnknown),
      Forgery(
        "the other key of the same document",
        world.token(object(world.header), object(world.claims), by: Keys.rsaNext),
        .signatureWrong),
    ]
    try expectRefused(commonForgeries(world) + rsaForgeries(world) + own, in: world)
    let short = world.claims.with("iss", "\"https://facebook.com\"")
    let identity = try world.signIn(world.token(claims: short))
    #expect(identity.provider == "facebook:530053863835233")
  }

  @Test("A game's own back end: no wrong token is accepted")
  func custom() throws {
    let world = TokenWorld.custom()
    let zero = [UInt8](repeating: 0, count: 32)
    let all = [UInt8](repeating: 0xff, count: 32)
    func half(_ make: @escaping ([UInt8], [UInt8]) -> [UInt8]) -> String {
      world.token { bytes in
        let signature = world.key.tokenSignature(bytes)
        return make(Array(signature[..<32]), Array(signature[32...]))
      }
    }
    let own = [
      Forgery("the signature in DER", world.token { world.key.sign($0) }, .signatureSizeWrong),
      Forgery("r is zero", half { _, s in zero + s }, .signatureWrong),
      Forgery("s is zero", half { r, _ in r + zero }, .signatureWrong),
      Forgery("r is above the curve's order", half { _, s in all + s }, .signatureWrong),
      Forgery("s is above the curve's order", half { r, _ in r + all }, .signatureWrong),
      Forgery("r and s in the other order", half { r, s in s + r }, .signatureWrong),
      Forgery("r and s of 33 bytes", half { r, s in [0] + r + [0] + s }, .signatureSizeWrong),
      Forgery(
        "another game's token", world.token(claims: world.claims.with("aud", "\"muster-go\"")),
        .audienceWrong),
      Forgery(
        "signed by another game's back end",
        world.token(object(world.header), object(world.claims), by: Keys.p256Forger),
        .signatureWrong),
      Forgery("Apple's token", TokenWorld.apple().token(), .algorithmWrong),
    ]
    try expectRefused(commonForgeries(world) + own, in: world)
  }
}
