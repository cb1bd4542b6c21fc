import Identity

/// Tokens that are wrong before anybody looks at a key.
func formForgeries(_ world: TokenWorld) -> [Forgery] {
  let right = world.token()
  let parts = right.split(separator: ".").map(String.init)
  let claims = object(world.claims)
  let header = object(world.header)
  return [
    Forgery("nothing", "", .notThreeParts),
    Forgery("two parts", parts[0] + "." + parts[1], .notThreeParts),
    Forgery("four parts", right + ".AAAA", .notThreeParts),
    Forgery("five parts, as of an encrypted token", right + ".AAAA.AAAA", .notThreeParts),
    Forgery("a byte above the bound", right.filled(to: 8193), .proofTooLarge),
    Forgery("within the bound, with a long signature", right.filled(to: 8192), .signatureSizeWrong),
    Forgery("padding", right + "=", .notBase64URL(.signature)),
    Forgery("a digit too many", right + "AAA", .notBase64URL(.signature)),
    Forgery("a line break at the end", right + "\n", .notBase64URL(.signature)),
    Forgery("a blank at the begin", " " + right, .notBase64URL(.header)),
    Forgery(
      "the other base64's digits", parts[0] + "." + parts[1] + "+/==." + parts[2],
      .notBase64URL(.claims)),
    Forgery("bits that stand for nothing", world.strayBits(), .notBase64URL(.claims)),
    Forgery("an empty header", "." + parts[1] + "." + parts[2], .notJSON(.header, .malformed)),
    Forgery(
      "a header that is no JSON", world.token("{alg}", claims), .notJSON(.header, .malformed)),
    Forgery("a header that is a list", world.token("[]", claims), .notJSON(.header, .notAnObject)),
    Forgery(
      "something after the header", world.token(header + "{}", claims),
      .notJSON(.header, .malformed)),
    Forgery(
      "two algorithms", world.token(header.added("\"alg\":\"none\""), claims),
      .notJSON(.header, .doubledField)),
    Forgery(
      "two subjects", world.token(header, claims.added("\"sub\":\"000000.admin\"")),
      .notJSON(.claims, .doubledField)),
    Forgery(
      "two subjects, one of them escaped",
      world.token(header, claims.added("\"\\u0073ub\":\"000000.admin\"")),
      .notJSON(.claims, .doubledField)),
    Forgery(
      "claims of many levels",
      world.token(header, claims.added("\"x\":" + deep(8))), .notJSON(.claims, .tooDeep)),
    Forgery(
      "a NUL in a claim", world.token(header, claims.added("\"x\":\"a\\u0000b\"")),
      .notJSON(.claims, .malformed)),
    Forgery(
      "claims that are a text", world.token(header, "\"sub\""), .notJSON(.claims, .malformed)),
    Forgery(
      "a critical extension",
      world.token(header: world.header + [("crit", "[\"b64\"]"), ("b64", "false")]),
      .criticalHeader),
    Forgery(
      "an empty list of critical extensions", world.token(header: world.header + [("crit", "[]")]),
      .criticalHeader),
    Forgery(
      "an access token", world.token(header: world.header.with("typ", "\"at+jwt\"")), .typeWrong),
    Forgery(
      "a type that is a number", world.token(header: world.header.with("typ", "1")), .typeWrong),
  ]
}

func deep(_ levels: Int) -> String {
  String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
}

extension String {
  /// An object with one more field at its end.
  func added(_ field: String) -> String { dropLast() + "," + field + "}" }

  func filled(to count: Int) -> String { self + String(repeating: "A", count: count - utf8.count) }
}

extension TokenWorld {
  /// A right token whose claims end with a digit of the same bytes, but other bits.
  func strayBits() -> String {
    // With 1 or 2 bytes over, the last digit has bits that stand for nothing.
    var fields = claims
    while object(fields).utf8.count % 3 != 1 { fields = fields.with("x", "\"" + stuffing(fields)) }
    let signed = base64URL(bytes(object(header))) + "." + base64URL(bytes(object(fields)))
    // The last digit stands for 2 bits of the closing brace, 0x7d, and 4 that are nothing.
    let stray = signed.dropLast() + "R"
    return stray + "." + base64URL(key.tokenSignature(bytes(String(stray))))
  }

  private func stuffing(_ fields: [(String, String)]) -> String {
    let old = fields.first { $0.0 == "x" }?.1.dropFirst().dropLast() ?? ""
    return old + "x\""
  }
}
