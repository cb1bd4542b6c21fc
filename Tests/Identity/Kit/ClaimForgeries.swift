import Identity

/// Tokens with a right signature, at a wrong time.
func timeForgeries(_ world: TokenWorld) -> [Forgery] {
  let now = world.seconds
  let age = world.provider.ageSecondsMax
  func claims(_ name: String, _ value: String?) -> String {
    world.token(claims: world.claims.with(name, value))
  }
  return [
    Forgery("expired an hour ago", claims("exp", "\(now - 3600)"), .expired),
    Forgery("expired by the leeway", claims("exp", "\(now - 60)"), .expired),
    Forgery("expired by a part of a second", claims("exp", "\(now - 60).0"), .expired),
    Forgery("no expiry", claims("exp", nil), .claimMissing(.expiry)),
    Forgery("an expiry as text", claims("exp", "\"\(now + 300)\""), .claimMalformed(.expiry)),
    Forgery("an expiry below zero", claims("exp", "-1"), .claimMalformed(.expiry)),
    Forgery("an expiry out of all range", claims("exp", "1e300"), .claimMalformed(.expiry)),
    Forgery(
      "an expiry that would overflow", claims("exp", "9223372036854775807"),
      .claimMalformed(.expiry)),
    Forgery("an expiry that is nothing", claims("exp", "null"), .claimMalformed(.expiry)),
    Forgery("not valid before a minute and a second", claims("nbf", "\(now + 61)"), .notYetValid),
    Forgery("a begin as text", claims("nbf", "\"now\""), .claimMalformed(.notBefore)),
    Forgery("issued in a minute and a second", claims("iat", "\(now + 61)"), .issuedInFuture),
    Forgery("no time of issue", claims("iat", nil), .claimMissing(.issuedAt)),
    Forgery("a time of issue as a list", claims("iat", "[]"), .claimMalformed(.issuedAt)),
    Forgery(
      "issued long ago, and never expiring",
      world.token(
        claims: world.claims.with("iat", "\(now - age - 60)").with("exp", "253402300799")),
      .tooOld),
    Forgery("a right token, later", world.token(), .expired, time: world.now + 360_000),
  ]
}

/// Tokens with a right signature that are about something else.
func claimForgeries(_ world: TokenWorld) -> [Forgery] {
  let own = quoted(world.provider.audiences[0])
  let issuer = world.provider.issuers[0]
  func claims(_ name: String, _ value: String?) -> String {
    world.token(claims: world.claims.with(name, value))
  }
  func audiences(_ list: String, azp: String?) -> String {
    world.token(claims: world.claims.with("aud", list).with("azp", azp))
  }
  return [
    Forgery("another issuer", claims("iss", "\"https://issuer.example\""), .issuerWrong),
    Forgery("an issuer with a bar more", claims("iss", quoted(issuer + "/")), .issuerWrong),
    Forgery("an issuer in capitals", claims("iss", quoted(issuer.uppercased())), .issuerWrong),
    Forgery("no issuer", claims("iss", nil), .claimMissing(.issuer)),
    Forgery("a list of issuers", claims("iss", "[\(quoted(issuer))]"), .claimMalformed(.issuer)),
    Forgery("another audience", claims("aud", "\"com.example.other\""), .audienceWrong),
    Forgery(
      "an audience that begins like ours", claims("aud", own.dropLast() + "x\""), .audienceWrong),
    Forgery("a list of other audiences", audiences("[\"a\",\"b\"]", azp: nil), .audienceWrong),
    Forgery("no audience", claims("aud", nil), .claimMissing(.audience)),
    Forgery("an empty list of audiences", claims("aud", "[]"), .claimMalformed(.audience)),
    Forgery("a number as audience", claims("aud", "[\(own),1]"), .claimMalformed(.audience)),
    Forgery(
      "too many audiences",
      claims("aud", "[" + Array(repeating: own, count: 17).joined(separator: ",") + "]"),
      .claimMalformed(.audience)),
    Forgery(
      "several audiences and no party", audiences("[\(own),\"b\"]", azp: nil),
      .claimMissing(.authorizedParty)),
    Forgery(
      "several audiences and another's party", audiences("[\(own),\"b\"]", azp: "\"b\""),
      .authorizedPartyWrong),
    Forgery(
      "several audiences and a party that is a list", audiences("[\(own),\"b\"]", azp: "[\(own)]"),
      .claimMalformed(.authorizedParty)),
    Forgery("no subject", claims("sub", nil), .claimMissing(.subject)),
    Forgery("an empty subject", claims("sub", "\"\""), .claimMalformed(.subject)),
    Forgery("a number as subject", claims("sub", "42"), .claimMalformed(.subject)),
    Forgery(
      "a subject of 256 bytes", claims("sub", quoted("".filled(to: 256))),
      .claimMalformed(.subject)),
    Forgery("a blank in the subject", claims("sub", "\"a b\""), .claimMalformed(.subject)),
    Forgery("a sign that looks like K", claims("sub", "\"\\u212a\""), .claimMalformed(.subject)),
  ] + nonceForgeries(world)
}

private func nonceForgeries(_ world: TokenWorld) -> [Forgery] {
  guard world.provider.nonce != .notUsed else { return [] }
  func claims(_ value: String?) -> String { world.token(claims: world.claims.with("nonce", value)) }
  let other = world.provider.nonce == .plain ? String(repeating: "0a", count: 32) : "other"
  return [
    Forgery("no nonce", claims(nil), .claimMissing(.nonce)),
    Forgery("an empty nonce", claims("\"\""), .nonceWrong),
    Forgery("another nonce", claims(quoted(other)), .nonceWrong),
    Forgery("a nonce that is nothing", claims("null"), .claimMalformed(.nonce)),
    Forgery("the nonce of the sign-in before", world.token(), .nonceWrong, nonce: "nonce-2"),
    Forgery("no nonce to compare", world.token(), .nonceNotGiven, nonce: .some(nil)),
    Forgery(
      "an empty nonce to compare", claims("\"\""), .nonceNotGiven, nonce: .some("")),
  ]
}
