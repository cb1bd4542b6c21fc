/// Whose Game Center signatures are believed.
public struct GameCenterProvider: Sendable, Hashable {
  public let name: String
  /// The game's bundle ids.
  public let bundleIDs: [String]
  /// The hosts that certificates may be fetched from.
  public var hosts = ["static.gc.apple.com"]
  /// The folder on these hosts.
  public var folder = "/public-key/"
  /// How old a signature may be, in seconds.
  public var ageSecondsMax: Int64 = 600
  /// By how much clocks may differ, in seconds.
  public var leewaySeconds: Int64 = 60

  /// What is signed has no marks between player and bundle id. So no bundle id may end with
  /// another one: a player `A` of `xB` would sign in as the player `Ax` of `B`.
  ///
  /// - Returns: nil for bundle ids of which one ends with another.
  public init?(name: String = "gamecenter", bundleIDs: [String]) {
    for (place, id) in bundleIDs.enumerated() {
      let isEnd = bundleIDs.enumerated().contains { other in
        other.offset != place && other.element.utf8.reversed().starts(with: id.utf8.reversed())
      }
      guard !id.isEmpty, !isEnd else { return nil }
    }
    self.name = name
    self.bundleIDs = bundleIDs
  }

  /// Refuses a proof for what can be seen without its certificate. It must pass before the
  /// certificate is fetched: the address comes from the client.
  public func check(_ proof: GameCenterProof, now: Int64) throws(IdentityError) {
    guard isPlayer(proof.playerID) else { throw .playerMalformed }
    guard bundleIDs.has(proof.bundleID) else { throw .bundleWrong }
    guard (1...IdentityLimits.saltSizeMax).contains(proof.salt.count) else { throw .saltMalformed }
    guard proof.signature.count <= IdentityLimits.signatureSizeMax else {
      throw .signatureSizeWrong
    }
    guard isCertificateURL(proof.certificateURL) else { throw .certificateURLWrong }
    guard let timestamp = Int64(exactly: proof.timestamp), timestamp <= now + leewaySeconds * 1000
    else { throw .timestampInFuture }
    guard now < timestamp + ageSecondsMax * 1000 else { throw .timestampTooOld }
  }

  /// Says who the player is that a signature is about.
  ///
  /// - Parameters:
  ///   - key: that of the certificate at the proof's address, from `CertificateCache` or
  ///     `CertificateTrust`.
  ///   - now: milliseconds since 1970.
  public func verify(
    _ proof: GameCenterProof, with key: VerificationKey, now: Int64
  ) throws(IdentityError) -> VerifiedIdentity {
    try check(proof, now: now)
    let signed = proof.signed
    try key.verify(proof.signature, of: signed, now: now)
    return VerifiedIdentity(
      provider: name, subject: proof.playerID,
      validUntil: Int64(proof.timestamp) + ageSecondsMax * 1000, proofHash: sha256(signed))
  }

  /// Game Center's ids have a letter, a colon and digits or letters. A point is not among these, so
  /// that no part of a bundle id passes for a player's end.
  private func isPlayer(_ id: String) -> Bool {
    let bytes = id.utf8
    return (1...IdentityLimits.gameCenterPlayerSizeMax).contains(bytes.count)
      && bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: ":") || isBar($0) }
  }

  /// Whether the address is `https://`, an allowed host, the folder, and a plain name: no user, no
  /// port, no query, and no way out of the folder.
  func isCertificateURL(_ url: String) -> Bool {
    guard url.utf8.count <= IdentityLimits.certificateURLSizeMax else { return false }
    return hosts.contains { host in
      let start = "https://\(host)\(folder)".utf8
      let end = ".cer".utf8
      guard url.utf8.starts(with: start) else { return false }
      let rest = url.utf8.dropFirst(start.count)
      guard rest.count > end.count, rest.suffix(end.count).elementsEqual(end) else { return false }
      return rest.dropLast(end.count).allSatisfy { isLetterOrDigit($0) || isBar($0) }
    }
  }

  private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
  private func isBar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
