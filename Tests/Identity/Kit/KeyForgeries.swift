import COpenSSL
import Identity

/// Tokens that the provider's key did not sign as it should.
func keyForgeries(_ world: TokenWorld) -> [Forgery] {
  let header = object(world.header)
  let claims = object(world.claims)
  func algorithm(_ name: String?) -> [(String, String)] {
    world.header.with("alg", name.map(quoted))
  }
  let forger = world.key.isRSA ? Keys.rsaForger : Keys.p256Forger
  let admin = object(world.claims.with("sub", "\"000000.admin\""))
  let right = world.token().split(separator: ".").map(String.init)
  let embedded = world.header + [("jwk", forger.jwk("mine"))]
  return [
    Forgery("another's key", world.token(header, claims, by: forger), .signatureWrong),
    Forgery(
      "another's key, which the token brings",
      world.token(object(embedded), claims, by: forger), .signatureWrong),
    Forgery(
      "another's key, which the token points to",
      world.token(
        object(world.header + [("jku", "\"https://forger.example/keys\"")]), claims, by: forger),
      .signatureWrong),
    Forgery(
      "other claims under a right signature",
      right[0] + "." + base64URL(bytes(admin)) + "." + right[2], .signatureWrong),
    Forgery(
      "another header under a right signature",
      base64URL(bytes(object(world.header + [("x", "1")]))) + "." + right[1] + "." + right[2],
      .signatureWrong),
    Forgery(
      "alg none without a signature", world.token(header: algorithm("none")) { _ in [] },
      .algorithmWrong),
    Forgery("alg none with a signature", world.token(header: algorithm("none")), .algorithmWrong),
    Forgery("alg nOnE", world.token(header: algorithm("nOnE")) { _ in [] }, .algorithmWrong),
    Forgery("no alg", world.token(header: algorithm(nil)), .algorithmWrong),
    Forgery("alg in small letters", world.token(header: algorithm("rs256")), .algorithmWrong),
    Forgery("alg as a list", world.token(header: world.header.with("alg", "[]")), .algorithmWrong),
    Forgery(
      "HS256 with the public key's PEM",
      world.token(header: algorithm("HS256")) { hmac(world.key.pem, $0) }, .algorithmWrong),
    Forgery(
      "HS256 with the public key's number",
      world.token(header: algorithm("HS256")) {
        hmac(world.key.number(world.key.isRSA ? "n" : "qx"), $0)
      }, .algorithmWrong),
    Forgery(
      "HS256 with an empty secret", world.token(header: algorithm("HS256")) { hmac([], $0) },
      .algorithmWrong),
    Forgery(
      "an HMAC under the key's own algorithm", world.token { hmac(world.key.pem, $0) },
      .signatureSizeWrong),
    Forgery(
      "the other kind of key",
      world.token(header: algorithm(world.key.isRSA ? "ES256" : "RS256")) {
        (world.key.isRSA ? Keys.p256Forger : Keys.rsaForger).tokenSignature($0)
      }, .algorithmWrong),
    Forgery("a hash of another size", world.token { world.otherHash($0) }, .signatureWrong),
    Forgery(
      "a truncated signature", world.token { world.key.tokenSignature($0).dropLast() },
      .signatureSizeWrong),
    Forgery(
      "a signature with a zero before it", world.token { [0] + world.key.tokenSignature($0) },
      .signatureSizeWrong),
    Forgery(
      "a signature with a zero after it", world.token { world.key.tokenSignature($0) + [0] },
      .signatureSizeWrong),
    Forgery("no signature", world.token { _ in [] }, .signatureSizeWrong),
    Forgery(
      "a signature of zeros",
      world.token { [UInt8](repeating: 0, count: world.key.tokenSignature($0).count) },
      .signatureWrong),
  ] + keyIDForgeries(world)
}

private func keyIDForgeries(_ world: TokenWorld) -> [Forgery] {
  func id(_ value: String?) -> String { world.token(header: world.header.with("kid", value)) }
  let malformed = [
    Forgery("a number as key id", id("1"), .keyIDMalformed),
    Forgery("an empty key id", id("\"\""), .keyIDMalformed),
    Forgery("a long key id", id(quoted("".filled(to: 257))), .keyIDMalformed),
  ]
  guard world.document != nil else { return malformed }
  return malformed + [
    Forgery("no key id", id(nil), .keyIDMissing),
    Forgery("an unknown key id", id("\"unknown\""), .keyUnknown),
    Forgery("a key id that is a path", id("\"../../dev/null\""), .keyUnknown),
  ]
}

/// RSA forgeries that only make sense beside an RSA key of the provider.
func rsaForgeries(_ world: TokenWorld) -> [Forgery] {
  func id(_ value: String, _ signature: ([UInt8]) -> [UInt8]) -> String {
    world.token(header: world.header.with("kid", quoted(value)), signature: signature)
  }
  return [
    Forgery(
      "PS256",
      world.token(header: world.header.with("alg", "\"PS256\"")) {
        world.key.sign($0, isPSS: true)
      }, .algorithmWrong),
    Forgery(
      "RSA-PSS under RS256", world.token { world.key.sign($0, isPSS: true) }, .signatureWrong),
    Forgery(
      "the number of the key added to the signature",
      world.token { added(world.key.tokenSignature($0), world.key.number("n")) }, .signatureWrong),
    Forgery(
      "RS512",
      world.token(header: world.header.with("alg", "\"RS512\"")) {
        world.key.sign($0, digest: "SHA512")
      }, .algorithmWrong),
  ]
}

/// The sum of two numbers of the same size; a bit more than these falls away.
private func added(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
  var carry = 0
  return zip(left, right).reversed().map { pair in
    carry += Int(pair.0) + Int(pair.1)
    defer { carry >>= 8 }
    return UInt8(carry & 0xff)
  }.reversed()
}

func hmac(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  unsafe HMAC(EVP_sha256(), key, Int32(key.count), data, data.count, &digest, nil)
  return digest
}

extension TokenWorld {
  /// A signature of the right size over SHA-512, which the algorithm does not use.
  func otherHash(_ bytes: [UInt8]) -> [UInt8] {
    key.isRSA ? key.sign(bytes, digest: "SHA512") : key.tokenSignature(bytes, digest: "SHA512")
  }
}
