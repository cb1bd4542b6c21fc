import Identity
import Testing

@Suite("Documents of keys")
struct KeySetTests {
  private static let usable = Keys.rsa.jwk("good")

  private func ids(_ entries: [String]) throws -> [String?] {
    let document = bytes("{\"keys\":[\(entries.joined(separator: ","))]}")
    return try KeySet(document: document, algorithms: [.rs256, .es256]).keys.map(\.keyID)
  }

  @Test("Keys that can be used are taken, with or without the names of use and algorithm")
  func usable() throws {
    let all = try ids([
      Keys.rsa.jwk("a", []), Keys.rsa.jwk("b", [("use", "\"sig\""), ("alg", "\"RS256\"")]),
      Keys.p256.jwk("c", [("key_ops", "[\"verify\"]")]),
      Keys.p256.jwk("d", [("alg", "\"ES256\""), ("x5c", "[\"MIIC\"]")]),
    ])
    #expect(all == ["a", "b", "c", "d"])
  }

  @Test(
    "A key that cannot be used is left out, and the others stay",
    arguments: [
      Keys.rsa.jwk(nil), Keys.rsa.jwk(""), Keys.rsa.jwk("".filled(to: 257)),
      Keys.rsa.jwk("x", [("use", "\"enc\"")]), Keys.rsa.jwk("x", [("use", "1")]),
      Keys.rsa.jwk("x", [("key_ops", "[\"sign\"]")]),
      Keys.rsa.jwk("x", [("key_ops", "\"verify\"")]),
      Keys.rsa.jwk("x", [("alg", "\"RS512\"")]), Keys.rsa.jwk("x", [("alg", "\"PS256\"")]),
      Keys.rsa.jwk("x", [("alg", "\"ES256\"")]), Keys.rsa.jwk("x", [("alg", "\"none\"")]),
      Keys.rsa.jwk("x", [("alg", "null")]), Keys.p256.jwk("x", [("alg", "\"RS256\"")]),
      Keys.rsaWeak.jwk("x"), Self.rsa("AQAB", "AQ"), Self.rsa(Self.modulus, "AQ"),
      Self.rsa(Self.modulus, "Ag"), Self.rsa(Self.modulus, "AQAAAAE"), Self.rsa("AQ==", "AQAB"),
      Self.rsa(base64URL([UInt8](repeating: 0xff, count: 1030)), "AQAB"),
      object([("kty", "\"oct\""), ("kid", "\"x\""), ("k", "\"c2VjcmV0\"")]),
      object([("kty", "\"OKP\""), ("kid", "\"x\""), ("crv", "\"Ed25519\""), ("x", "\"AAAA\"")]),
      Self.ec("P-256", 1, 32), Self.ec("P-384", 0, 32), Self.ec("P-256", 0, 31), "\"x\"", "{}",
      "null",
    ])
  func leftOut(_ entry: String) throws {
    #expect(try ids([entry, Self.usable]) == ["good"])
    #expect(throws: KeyDocumentError.noKeys) { try ids([entry]) }
  }

  private static let modulus = base64URL(Keys.rsa.number("n"))

  private static func rsa(_ modulus: String, _ exponent: String) -> String {
    object([
      ("kty", "\"RSA\""), ("kid", "\"x\""), ("n", quoted(modulus)), ("e", quoted(exponent)),
    ])
  }

  /// A point beside the curve, of another curve, or with a short number.
  private static func ec(_ curve: String, _ change: UInt8, _ count: Int) -> String {
    var y = Keys.p256.number("qy")
    y[y.count - 1] ^= change
    let x = [UInt8](repeating: 0, count: 32 - Keys.p256.number("qx").count) + Keys.p256.number("qx")
    let padded = [UInt8](repeating: 0, count: 32 - y.count) + y
    return object([
      ("kty", "\"EC\""), ("kid", "\"x\""), ("crv", quoted(curve)),
      ("x", quoted(base64URL(x))), ("y", quoted(base64URL(padded.suffix(count)))),
    ])
  }

  @Test("Keys of an algorithm that the provider does not use are left out")
  func algorithms() throws {
    let document = bytes(TokenWorld.published(["r": Keys.rsa, "e": Keys.p256]))
    #expect(try KeySet(document: document, algorithms: [.rs256]).keys.map(\.keyID) == ["r"])
  }

  @Test("The 33rd key is left out")
  func tooMany() throws {
    #expect(try ids((1...33).map { Keys.p256.jwk("k\($0)") }).count == 32)
  }

  @Test(
    "What is no document of keys is refused",
    arguments: [
      ("", KeyDocumentError.notJSON(.malformed)), ("[]", .notJSON(.notAnObject)),
      ("{}", .noKeys), ("{\"keys\":{}}", .noKeys), ("{\"keys\":[]}", .noKeys),
      ("{\"keys\":[],\"keys\":[]}", .notJSON(.doubledField)),
      ("{\"keys\":" + deep(8) + "}", .notJSON(.tooDeep)),
      ("{\"keys\":[]}".filled(to: 128 * 1024 + 1), .notJSON(.tooLarge)),
      ("<html></html>", .notJSON(.malformed)),
    ])
  func refused(_ text: String, _ error: KeyDocumentError) {
    #expect(throws: error) { try KeySet(document: bytes(text), algorithms: [.rs256]) }
  }

  @Test("A PEM key must be a public RSA or P-256 key of a fitting size")
  func pem() throws {
    #expect(try VerificationKey(pem: Keys.rsa.pem).algorithm == .rs256)
    #expect(try VerificationKey(pem: Keys.p256.pem).algorithm == .es256)
    #expect(throws: KeyFault.unusable) { try VerificationKey(pem: Keys.rsaWeak.pem) }
    #expect(throws: KeyFault.unusable) { try VerificationKey(pem: Keys.p384.pem) }
    #expect(throws: KeyFault.malformed) { try VerificationKey(pem: []) }
    #expect(throws: KeyFault.malformed) { try VerificationKey(pem: Keys.rsa.pem.dropLast(60)) }
    let large = Keys.rsa.pem + [UInt8](repeating: 0x0a, count: 64 * 1024)
    #expect(throws: KeyFault.malformed) { try VerificationKey(pem: large) }
  }
}
