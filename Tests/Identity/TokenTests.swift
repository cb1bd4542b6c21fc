import COpenSSL
import Identity
import Testing

@Suite("Right tokens")
struct TokenTests {
  static let worlds = [
    TokenWorld.apple(), TokenWorld.google(), TokenWorld.facebook(), TokenWorld.custom(),
  ]

  @Test("A right token says who the player is, and nothing more", arguments: worlds)
  func right(_ world: TokenWorld) throws {
    let token = world.token()
    let identity = try world.signIn(token)
    #expect(identity.provider == world.provider.name)
    #expect(identity.subject == "001234.player.0042")
    #expect(identity.validUntil == (world.seconds + 300 + 60) * 1000)
    let signed = token.prefix { $0 != "." } + "." + world.claimsText
    #expect(identity.proofHash == digest(bytes(String(signed))))
    #expect(!"\(identity)".contains("example.com"))
  }

  @Test("A token is taken until the time that is told, and not a moment longer", arguments: worlds)
  func untilThen(_ world: TokenWorld) throws {
    let forever = world.claims.with("exp", "253402300799")
    for claims in [world.claims, forever] {
      let token = world.token(claims: claims)
      let until = try world.signIn(token).validUntil
      #expect(try world.signIn(token, at: until - 1).validUntil == until)
      #expect(throws: IdentityError.self) { try world.signIn(token, at: until) }
    }
  }

  @Test("Clocks may differ by a minute", arguments: worlds)
  func leeway(_ world: TokenWorld) throws {
    for (name, value) in [("exp", -59), ("iat", 60), ("nbf", 60)] {
      let claims = world.claims.with(name, "\(world.seconds + Int64(value))")
      _ = try world.signIn(world.token(claims: claims))
    }
  }

  @Test("A time may have a fraction, an audience be one of a list")
  func forms() throws {
    let world = TokenWorld.google()
    let own = quoted(world.provider.audiences[0])
    let claims = world.claims.with("exp", "\(world.seconds + 300).5").with("aud", "[\(own)]")
    #expect(try world.signIn(world.token(claims: claims)).validUntil == world.now + 360_500)
    let several = world.claims.with("aud", "[\"other\",\(own)]").with("azp", own)
    _ = try world.signIn(world.token(claims: several))
    _ = try world.signIn(world.token(header: world.header.with("typ", nil)))
    _ = try world.signIn(world.token(header: world.header.with("typ", "\"jwt\"")))
  }

  @Test("Apple may sign with a P-256 key of its document")
  func appleP256() throws {
    var world = TokenWorld.apple()
    (world.key, world.keyID) = (Keys.p256, "W6WcOKB")
    _ = try world.signIn(world.token())
  }

  @Test("A back end may sign with an RSA key, and name it as it likes")
  func customRSA() throws {
    var world = TokenWorld.custom()
    world.key = Keys.rsa
    _ = try world.signIn(world.token())
    _ = try world.signIn(world.token(header: world.header + [("kid", "\"any\"")]))
    world.keyID = "2026"
    _ = try world.signIn(world.token())
  }

  @Test("A key of an algorithm that the provider does not use is not used")
  func algorithms() throws {
    var world = TokenWorld.custom()
    world.provider.algorithms = [.rs256]
    #expect(throws: IdentityError.algorithmWrong) { try world.signIn(world.token()) }
  }

  /// Whoever counts proofs by their hashes must not be passed by a second text of the same proof.
  @Test("A proof that is used again has the same hash, also with a mirrored signature")
  func replay() throws {
    for world in Self.worlds {
      let token = world.token()
      #expect(try world.signIn(token) == world.signIn(token))
      let other = world.token(claims: world.claims.with("iat", "\(world.seconds - 6)"))
      #expect(try world.signIn(token).proofHash != world.signIn(other).proofHash)
    }
    let world = TokenWorld.custom()
    let token = world.token()
    let mirrored = world.token { mirror(world.key.tokenSignature($0)) }
    #expect(mirrored != token)
    #expect(try world.signIn(mirrored).proofHash == world.signIn(token).proofHash)
  }

  @Test("A refused token leaves no error for the thread's TLS connections")
  func errorQueue() throws {
    ERR_clear_error()
    for world in Self.worlds {
      let forger = world.key.isRSA ? Keys.rsaForger : Keys.p256Forger
      let token = world.token(object(world.header), object(world.claims), by: forger)
      #expect(throws: IdentityError.signatureWrong) { try world.signIn(token) }
      #expect(ERR_peek_error() == 0)
    }
    #expect(throws: KeyFault.malformed) { try VerificationKey(pem: bytes("no key")) }
    #expect(ERR_peek_error() == 0)
  }

  /// Of an ECDSA signature (r, s), (r, n - s) is one too.
  private func mirror(_ signature: [UInt8]) -> [UInt8] {
    let order: [UInt8] =
      [UInt8](repeating: 0xff, count: 4) + [UInt8](repeating: 0, count: 4)
      + [UInt8](repeating: 0xff, count: 8) + [0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84]
      + [0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51]
    var borrow = 0
    let mirrored = zip(order, signature[32...]).reversed().map { pair -> UInt8 in
      let digit = Int(pair.0) - Int(pair.1) - borrow
      borrow = digit < 0 ? 1 : 0
      return UInt8(digit & 0xff)
    }
    return signature[..<32] + mirrored.reversed()
  }
}

func digest(_ data: [UInt8]) -> [UInt8] {
  var hash = [UInt8](repeating: 0, count: 32)
  unsafe EVP_Digest(data, data.count, &hash, nil, EVP_sha256(), nil)
  return hash
}
