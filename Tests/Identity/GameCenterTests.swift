import Identity
import Testing

@Suite("Game Center")
struct GameCenterTests {
  @Test("A right signature says who the player is")
  func right() throws {
    let world = try GameCenterWorld()
    let proof = world.proof()
    let identity = try world.signIn(proof)
    #expect(identity.provider == "gamecenter")
    #expect(identity.subject == "T:_9f1e2d3c4b5a69788796a5b4c3d2e1f0")
    #expect(identity.validUntil == world.now + 598_000)
    #expect(identity.proofHash == digest(GameCenterWorld.signed(proof)))
    #expect(try world.signIn(proof, at: identity.validUntil - 1) == identity)
    _ = try world.signIn(world.proof { $0.timestamp = UInt64(world.now + 60_000) })
    let noPurposes = Certificates.made { $0.extendedKeyUsage = nil }
    _ = try world.signIn(proof, certificate: noPurposes)
  }

  @Test("Bundle ids have letters, digits, dashes and points")
  func bundles() {
    for wrong in ["", "com.a\u{0}", "com a", "com.ä", "com_a"] {
      #expect(GameCenterProvider(bundleIDs: ["com.b", wrong]) == nil, "\(wrong)")
    }
    #expect(GameCenterProvider(bundleIDs: ["com.a-1", "xcom.a-1", "com.a-12", "B"]) != nil)
  }

  @Test("Players of a developer's team and of one game are taken")
  func players() throws {
    let world = try GameCenterWorld()
    for player in ["T:_00000000000000000000000000000000", "A:_9f1e2d3c4b5a69788796a5b4c3d2e1f0"] {
      #expect(try world.signIn(world.proof { $0.playerID = player }).subject == player)
    }
  }

  @Test("Roots must be there, and whole")
  func roots() throws {
    let pem = Certificates.root.pem
    for wrong in [[], bytes("text"), pem.dropLast(40), pem + pem.dropLast(40)] {
      #expect(throws: CertificateFault.malformed) { try CertificateTrust(roots: Array(wrong)) }
    }
    let trust = try CertificateTrust(roots: pem)
    #expect(throws: CertificateFault.self, "the authority between is missing") {
      try trust.key(certificate: Certificates.gameCenter.der, now: 1_700_000_000_000)
    }
    let both = try CertificateTrust(roots: pem + Certificates.authority.pem)
    _ = try both.key(certificate: Certificates.gameCenter.der, now: 1_700_000_000_000)
  }

  @Test("A certificate that is held is not used after its chain has ended")
  func chainEnds() throws {
    var world = try GameCenterWorld()
    world.certificate = Certificates.made { $0.valid = 1_600_000_000..<1_700_000_001 }
    let key = try world.trust.key(certificate: world.certificate, now: world.now)
    let proof = world.proof()
    _ = try world.provider.verify(proof, with: key, now: world.now + 999)
    #expect(throws: IdentityError.keyNotValidNow) {
      try world.provider.verify(proof, with: key, now: world.now + 1000)
    }
  }
}
