import Operations
import Testing
import Wire

@testable import GatewayCore

/// What is written in a file of keys, and what it means.
struct KeyFileTests {
  private static let digits = (0...9).map { String(repeating: "\($0)a", count: 32) }
  private let secret = Array("secret".utf8)

  private func keyring(_ text: String, secret: [UInt8]?) throws -> Keyring {
    try KeyFile(KeyFile.text(text)).keyring(secret: secret, hash: SessionScript.hash)
  }

  private func outcomes(_ keyring: Keyring) -> [KeyPurpose: [UInt8]] {
    let attempt = RoutingKey(high: 3, low: 4)
    return [
      .identities: keyring.secret(of: attempt),
      .tokens: SessionToken.issue(SessionClaims(), keyring).array,
      .devices: keyring.secretHash([7]).hash.array,
      .gameServers: Array(keyring.gameServerCredential(game: "demo").utf8),
      .nonces: keyring.name(of: attempt).bytes,
      .pairs: keyring.pair(game: "demo", .init(high: 1, low: 1), .init(high: 1, low: 2)).bytes,
      .tickets: keyring.ticketSecret,
    ]
  }

  @Test("a purpose whose line says so keeps the key of the secret", arguments: KeyPurpose.allCases)
  func oneAlone(purpose: KeyPurpose) throws {
    let before = Keyring(secret: secret, hash: SessionScript.hash)
    let name = purpose.rawValue
    #expect(outcomes(try keyring("# nothing\n\n", secret: secret)) == outcomes(before))
    let known = try keyring(
      "key \(name) 1 auth-secret current\nkey \(name) 2 \(Self.digits[2])", secret: secret)
    #expect(outcomes(known) == outcomes(before), "a key that is known is not used")
    let changed = outcomes(
      try keyring(
        "key \(name) 1 auth-secret\n  key \(name) 2 \(Self.digits[2]) current\n", secret: secret))
    for other in KeyPurpose.allCases {
      #expect((changed[other] == outcomes(before)[other]) == (other != purpose), "\(other)")
    }
  }

  /// Each gateway is one step ahead or behind, and knows what the other makes.
  @Test("gateways that are one step apart take each other's tokens, hashes and credentials")
  func steps() throws {
    let two = Self.digits[2]
    let steps = try [
      "", "key tokens 1 auth-secret current\nkey tokens 2 \(two)",
      "key tokens 1 auth-secret\nkey tokens 2 \(two) current", "key tokens 2 \(two) current",
    ].map { text in
      let all = ["devices", "game-servers"].map {
        text.replacing("tokens", with: $0)
      }
      return try keyring(([text] + all).joined(separator: "\n"), secret: secret)
    }
    func takes(_ one: Keyring, from other: Keyring) -> [Bool] {
      var claims = SessionClaims()
      claims.expiresAt = 1
      let token = SessionToken.issue(claims, other)
      let opened = try? SessionToken.open(token, one, now: 0) { $0 == $1 }
      let credential = other.gameServerCredential(game: "demo")
      return [
        opened == claims, one.secretHashes([7]).contains(other.secretHash([7])),
        one.version(of: credential, ofServersOf: "demo") { $0 == $1 } != nil,
      ]
    }
    for (index, step) in steps.enumerated() {
      for (otherIndex, other) in steps.enumerated() where abs(index - otherIndex) != 2 {
        let isTaken = abs(index - otherIndex) <= 1
        #expect(takes(step, from: other) == [isTaken, isTaken, isTaken], "\(otherIndex) \(index)")
      }
    }
  }

  @Test("it is told which keys are in use, by their numbers")
  func summary() throws {
    let keys = ["key devices 3 K current", "key devices 1 L", "key devices 4 M", "key pairs 7 K"]
    let text = (keys + ["key pairs 9 L current"]).joined(separator: "\n")
    let digits = ["K", "L", "M"].enumerated().reduce(text) {
      $0.replacing($1.element, with: Self.digits[$1.offset])
    }
    #expect(
      try keyring(digits, secret: secret).summary
        == "devices 3 and 1 and 4, game-servers 1, identities 1, nonces 1, pairs 9 and 7, tickets 1, "
        + "tokens 1")
  }

  @Test func allKeysWithoutASecret() throws {
    let lines = KeyPurpose.allCases.map { "key \($0.rawValue) 7 \(Self.digits[3]) current" }
    let whole = try keyring(lines.joined(separator: "\n"), secret: nil)
    #expect(whole.gameServerCredential(game: "demo").hasPrefix("7."))
    for left in lines.indices {
      let rest = lines.indices.filter { $0 != left }.map { lines[$0] }.joined(separator: "\n")
      let fault = #expect(throws: KeyFile.Fault.self) { try keyring(rest, secret: nil) }
      #expect(fault?.description.contains("auth-secret, which is not set") == true)
    }
  }

  @Test func gamesAndOperators() throws {
    let text = "game-server 1 2 a game\noperator alice \(Self.digits[4])"
    let file = try KeyFile(KeyFile.text(text))
    #expect(file.operators == ["alice": [UInt8](repeating: 0x4a, count: 32)])
    let longest = String(repeating: "a", count: 64)
    let long = try KeyFile(KeyFile.text("operator \(longest) \(Self.digits[4])"))
    #expect(long.operators.keys.map { $0 } == [longest])
    let keyring = try file.keyring(secret: secret, hash: SessionScript.hash)
    #expect(keyring.gameServerCredential(game: "a game").hasPrefix("1.2."))
    #expect(keyring.gameServerCredential(game: "demo").dropFirst(2).contains(".") == false)
  }

  @Test(
    "what is wrong is said with its line, and no key is",
    arguments: [
      "keys tokens 1 K", "key tokens 1", "key tokens 1 K later", "key tokens 1 K current now",
      "key token 1 K", "key tokens 0 K", "key tokens 01 K", "key tokens 65536 K", "key tokens 1 k",
      "key tokens 1 Kaa", "key tokens 2 auth-secret", "key tokens 1 K current\nkey tokens 1 K",
      "key tokens 1 auth-secret current\nkey tokens 1 K",
      "key tokens 1 K current\nkey tokens 2 L current", "key tokens 1 K", "game-server 1 2",
      "key tokens 1 K current\nkey tokens 2 K", "game-server 1 x demo",
      "game-server 2 1 demo", "game-server -1 1 demo", "game-server 1 2 a/b",
      "game-server 1 1 demo\ngame-server 1 2 demo", "operator alice", "operator alice K K",
      "operator al:ice K", "operator ålice K", "operator alice k",
      "operator \(String(repeating: "a", count: 65)) K",
      "operator alice K\noperator alice K", "end\noperator alice K", "end\nend", "end now",
    ])
  func faults(text: String) throws {
    let text = text.replacing("K", with: Self.digits[5]).replacing("L", with: Self.digits[6])
    let fault = #expect(throws: KeyFile.Fault.self) { try KeyFile(KeyFile.text(text)) }
    #expect(fault?.description.contains(Self.digits[5].prefix(8)) == false)
    let lines = text.split(separator: "\n").count
    let isLine = fault?.description.hasPrefix("line \(lines): ") == true
    #expect(isLine || fault?.description == "no key for tokens is the current one.")
  }
}
