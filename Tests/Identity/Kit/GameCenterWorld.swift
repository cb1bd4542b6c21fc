import Identity

/// A game, its player, and the certificate that Game Center signs with.
struct GameCenterWorld {
  let provider: GameCenterProvider
  let trust: CertificateTrust
  var certificate = Certificates.gameCenter.der
  let now: Int64 = 1_700_000_000_000

  init() throws {
    let bundles = ["com.example.chess", "com.example.go"]
    guard let provider = GameCenterProvider(bundleIDs: bundles) else { throw TestFault.noDecision }
    self.provider = provider
    trust = try CertificateTrust(
      roots: Certificates.root.pem, intermediates: Certificates.authority.pem)
  }

  /// A proof that is right but for what `change` does before it is signed.
  func proof(
    by key: SigningKey = Keys.rsa, _ change: (inout GameCenterProof) -> Void = { _ in }
  ) -> GameCenterProof {
    var proof = GameCenterProof(
      playerID: "T:_9f1e2d3c4b5a69788796a5b4c3d2e1f0", bundleID: "com.example.chess",
      timestamp: UInt64(now - 2000), salt: [0x0d, 0xec, 0xaf, 0x01], signature: [],
      certificateURL: "https://static.gc.apple.com/public-key/gc-prod-10.cer")
    change(&proof)
    proof.signature = key.sign(Self.signed(proof))
    return proof
  }

  /// What is signed, written by hand: not by the code that is tested.
  static func signed(_ proof: GameCenterProof) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = proof.timestamp
    for _ in 0..<8 {
      digits.insert(UInt8(rest % 256), at: 0)
      rest /= 256
    }
    return bytes(proof.playerID + proof.bundleID) + digits + proof.salt
  }

  /// The whole way of a proof through the module.
  func signIn(
    _ proof: GameCenterProof, certificate: [UInt8]? = nil, at time: Int64? = nil
  ) throws -> VerifiedIdentity {
    let time = time ?? now
    try provider.check(proof, now: time)
    var cache = CertificateCache(trust: trust, provider: provider)
    let url = proof.certificateURL
    guard case .fetch(let order) = cache.advice(for: url, arrival: time, now: time) else {
      throw TestFault.noFetch
    }
    try? cache.fetched(
      order, certificate: certificate ?? self.certificate, freshSeconds: nil, now: time)
    switch cache.advice(for: url, arrival: time, now: time) {
    case .verify(let key, _): return try provider.verify(proof, with: key, now: time)
    case .refuse(let error): throw error
    default: throw TestFault.noDecision
    }
  }
}
