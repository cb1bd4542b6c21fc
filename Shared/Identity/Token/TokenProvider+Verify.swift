extension TokenProvider {
  /// Says who the player is that a token is about.
  ///
  /// It takes about as long as verifying the signature: 30 microseconds with RS256 and 70 with
  /// ES256.
  ///
  /// - Parameters:
  ///   - key: the provider's key, which `KeyCache` finds by the token's key id.
  ///   - nonce: what this sign-in has asked the provider to put into the token.
  ///   - now: milliseconds since 1970 by the wall clock.
  public func verify(
    _ token: CompactToken, with key: VerificationKey, nonce: String? = nil, now: Int64
  ) throws(IdentityError) -> VerifiedIdentity {
    guard let algorithm = token.algorithm, isSame(algorithm, key.algorithm.name) else {
      throw .algorithmWrong
    }
    guard algorithms.contains(key.algorithm) else { throw .algorithmWrong }
    try key.verify(token.signature, of: token.signed, now: now)
    let claims = try CompactToken.object(token.claims, .claims)
    try checkIssuer(claims)
    try checkAudience(claims)
    let validUntil = try checkTimes(claims, now)
    try self.nonce.check(claims["nonce"], given: nonce)
    return VerifiedIdentity(
      provider: name, subject: try subject(claims), validUntil: validUntil,
      proofHash: sha256(token.signed))
  }

  private func checkIssuer(_ claims: JSON) throws(IdentityError) {
    guard let claim = claims["iss"] else { throw .claimMissing(.issuer) }
    guard let issuer = claim.text else { throw .claimMalformed(.issuer) }
    guard issuers.has(issuer) else { throw .issuerWrong }
  }

  /// The audience is a text or a list. Of a token for several, the party that asked for it must be
  /// the game: else another one of them could sign in here as the player.
  private func checkAudience(_ claims: JSON) throws(IdentityError) {
    guard let claim = claims["aud"] else { throw .claimMissing(.audience) }
    let named = try Self.audiences(claim)
    guard named.contains(where: audiences.has) else { throw .audienceWrong }
    guard named.count > 1 || !authorizedParties.isEmpty else { return }
    guard let claim = claims["azp"] else {
      if named.count > 1 { throw .claimMissing(.authorizedParty) }
      return
    }
    guard let party = claim.text else { throw .claimMalformed(.authorizedParty) }
    guard audiences.has(party) || authorizedParties.has(party) else {
      throw .authorizedPartyWrong
    }
  }

  private static func audiences(_ claim: JSON) throws(IdentityError) -> [String] {
    if let one = claim.text { return [one] }
    guard let list = claim.list, !list.isEmpty, list.count <= IdentityLimits.audienceCountMax
    else { throw .claimMalformed(.audience) }
    var named: [String] = []
    for item in list {
      guard let text = item.text else { throw .claimMalformed(.audience) }
      named.append(text)
    }
    return named
  }

  /// Returns from when on the token is refused, in milliseconds.
  private func checkTimes(_ claims: JSON, _ now: Int64) throws(IdentityError) -> Int64 {
    let leeway = leewaySeconds * 1000
    guard let expiry = try Self.time(claims, .expiry) else { throw .claimMissing(.expiry) }
    guard let issued = try Self.time(claims, .issuedAt) else { throw .claimMissing(.issuedAt) }
    guard now < expiry + leeway else { throw .expired }
    if let notBefore = try Self.time(claims, .notBefore), now < notBefore - leeway {
      throw .notYetValid
    }
    guard issued - leeway <= now else { throw .issuedInFuture }
    let oldAt = issued + ageSecondsMax * 1000 + leeway
    guard now < oldAt else { throw .tooOld }
    return min(expiry + leeway, oldAt)
  }

  /// Reads seconds since 1970 up to the year 9999, which may have a fraction; returns milliseconds.
  private static func time(_ claims: JSON, _ claim: Claim) throws(IdentityError) -> Int64? {
    let secondsMax: Int64 = 253_402_300_799
    switch claims[claim.rawValue] {
    case nil: return nil
    case .integer(let seconds) where (0...secondsMax).contains(seconds): return seconds * 1000
    case .real(let seconds) where seconds >= 0 && seconds <= Double(secondsMax):
      return Int64(seconds * 1000)
    default: throw .claimMalformed(claim)
    }
  }

  private func subject(_ claims: JSON) throws(IdentityError) -> String {
    guard let claim = claims["sub"] else { throw .claimMissing(.subject) }
    guard let subject = claim.text, isSubject(subject) else { throw .claimMalformed(.subject) }
    return subject
  }
}
