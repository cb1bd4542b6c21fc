/// Whose Game Center signatures are believed.
public struct GameCenterProvider: Sendable, Hashable {
  public let name: String
  /// The game's bundle ids.
  public let bundleIDs: [String]
  /// The hosts that certificates may be fetched from.
  public var hosts = ["static.gc.apple.com"]
  /// The folder on these hosts.
  public var folder = "/public-key/"
  /// The certificates in the folder that are in use or may come next. Those of other names are
  /// fetched too, but not so often that their names, which come from clients, cost anything.
  public var certificates = (5...12).map { "gc-prod-\($0).cer" }
  /// How old a signature may be, in seconds.
  public var ageSecondsMax: Int64 = 600
  /// By how much clocks may differ, in seconds.
  public var leewaySeconds: Int64 = 60

  /// - Returns: nil if one of the bundle ids has none or other characters than Apple allows in
  ///   them: letters, digits, dashes and points.
  public init?(name: String = "gamecenter", bundleIDs: [String]) {
    for id in bundleIDs {
      let isWhole = id.utf8.allSatisfy { byte in
        isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
      guard !id.isEmpty, isWhole else { return nil }
    }
    self.name = name
    self.bundleIDs = bundleIDs
  }

  /// Refuses a proof for what can be seen without its certificate. It must pass before the
  /// certificate is fetched: the address comes from the client.
  ///
  /// - Parameter now: milliseconds since 1970 by the wall clock.
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
  ///   - now: milliseconds since 1970 by the wall clock.
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

  /// The addresses of the certificates that are in use or may come next.
  var certificateURLs: [String] {
    hosts.flatMap { host in certificates.map { "https://\(host)\(folder)\($0)" } }
  }

  /// Whether a text is `T:_` (a `teamPlayerID`) or `A:_` (a `gamePlayerID`) and 32 lowercase
  /// hexadecimal digits.
  ///
  /// What is signed has no marks between player, bundle id and time. Players of one length make
  /// clear where each ends: otherwise Game Center's signature for the player `A` of a stranger's
  /// app `xB` would do for the player `Ax` of the app `B`. The time ends the bundle id: as
  /// milliseconds of this age it begins with a byte 0, which no bundle id has.
  private func isPlayer(_ id: String) -> Bool {
    let bytes = id.utf8
    guard bytes.count == 35, bytes.starts(with: "T:_".utf8) || bytes.starts(with: "A:_".utf8)
    else { return false }
    return bytes.dropFirst(3).allSatisfy { byte in
      isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
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

}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isDigit(byte)
}
private func isBar(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
}
