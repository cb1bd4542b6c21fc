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

  @Test("Bundle ids of which one ends with another are not taken")
  func bundles() {
    #expect(GameCenterProvider(bundleIDs: ["com.a", "xcom.a"]) == nil)
    #expect(GameCenterProvider(bundleIDs: ["com.a", "com.a"]) == nil)
    #expect(GameCenterProvider(bundleIDs: [""]) == nil)
    #expect(GameCenterProvider(bundleIDs: ["com.a", "com.ab"]) != nil)
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

  @Test("Invented addresses cost ten fetches a minute, and push out no right certificate")
  func addresses() throws {
    let world = try GameCenterWorld()
    var cache = CertificateCache(trust: world.trust)
    let right = world.proof().certificateURL
    guard case .fetch(let order) = cache.advice(for: right, arrival: world.now, now: world.now)
    else { throw TestFault.noFetch }
    try cache.fetched(
      order, certificate: world.certificate, cacheControl: "max-age=86400", now: world.now)
    var fetches = 0
    for second in Int64(0)..<600 {
      let now = world.now + second * 1000
      let advice = cache.advice(for: "https://x/\(second)", arrival: now, now: now)
      if case .fetch(let order) = advice {
        fetches += 1
        cache.fetchFailed(order)
      } else if case .unavailable(let until) = advice {
        #expect(until > now && until <= now + 60_000)
      } else {
        Issue.record("an invented address was taken")
      }
    }
    #expect(fetches == 99)
    let now = world.now + 600_000
    guard case .verify = cache.advice(for: right, arrival: now, now: now) else {
      throw TestFault.noDecision
    }
  }
}
