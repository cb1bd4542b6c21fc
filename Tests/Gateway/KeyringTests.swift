import Operations
import Testing
import Wire

@testable import GatewayCore

struct KeyringTests {
  private let players = [PlayerID(high: 1, low: 1), PlayerID(high: 1, low: 2)]

  private func keyring(_ keys: [UInt16: [UInt8]], current: UInt16) -> Keyring {
    Keyring({ _ in KeySet(current: current, keys) }, hash: SessionScript.hash)
  }

  /// Tells the keys of the purposes apart: what is hashed is the same.
  @Test func eachPurposeHasAKeyOfItsOwn() {
    let secret = Array("secret".utf8)
    let keys = KeyPurpose.allCases.map {
      SessionScript.hash(secret, Array("muster key 1 \($0.rawValue)".utf8))
    }
    #expect(Set(keys).count == KeyPurpose.allCases.count)
    let derived = Keyring(secret: secret, hash: SessionScript.hash)
    for (purpose, key) in zip(KeyPurpose.allCases, keys) {
      // A keyring that has one of them right, and so derives the same for that purpose alone.
      let one = Keyring(
        { KeySet(current: 1, [1: $0 == purpose ? key : [0]]) }, hash: SessionScript.hash)
      let same = outcomes(of: one).enumerated().filter { outcomes(of: derived)[$0] == $1 }
      #expect(Set(same.map { Self.purposes[$0.offset] }) == [purpose], "\(purpose)")
    }
  }

  private static let purposes: [KeyPurpose] = [
    .identities, .identities, .identities, .identities, .identities, .identities, .tokens, .devices,
    .gameServers, .pairs,
    .nonces, .nonces, .tickets,
  ]

  /// What a keyring derives, for the purposes above.
  private func outcomes(of keyring: Keyring) -> [[UInt8]] {
    let attempt = RoutingKey(high: 3, low: 4)
    let call = IdempotencyKey(instance: 5, counter: 6, floor: 1)
    return [
      keyring.player(of: attempt).bytes, keyring.device(of: attempt).bytes,
      keyring.secret(of: attempt), keyring.device(of: attempt, with: attempt).bytes,
      keyring.secret(of: attempt, with: attempt), keyring.fresh(call).bytes,
      SessionToken.issue(SessionClaims(), keyring).array,
      keyring.secretHash([7]).hash.array, Array(keyring.gameServerCredential(game: "demo").utf8),
      keyring.pair(game: "demo", players[0], players[1]).bytes,
      Array(keyring.nonce(for: Bytes([8]), expiresAt: 9).utf8), keyring.name(of: attempt).bytes,
      keyring.ticketSecret,
    ]
  }

  @Test("within a purpose, no two things are derived from the same bytes")
  func labels() {
    let outcomes = outcomes(of: keyring([1: [1]], current: 1))
    #expect(Set(outcomes).count == outcomes.count)
  }

  @Test("7.2 a nonce is known under each key that made it, with its challenge and its time")
  func nonces() {
    let old = keyring([1: [1]], current: 1)
    let both = keyring([1: [1], 2: [2]], current: 2)
    let challenge = Bytes([1, 2, 3])
    let nonce = old.nonce(for: challenge, expiresAt: 77)
    func expiry(_ nonce: String, _ keyring: Keyring, _ challenge: Bytes) -> UInt64? {
      keyring.expiry(ofNonce: nonce, for: challenge, equals: ==)
    }
    #expect(expiry(nonce, old, challenge) == 77 && expiry(nonce, both, challenge) == 77)
    #expect(expiry(nonce, keyring([2: [2]], current: 2), challenge) == nil)
    #expect(expiry(nonce, old, Bytes([1, 2])) == nil && expiry("", old, challenge) == nil)
    for place in nonce.indices {
      var altered = Array(nonce.utf8)
      altered[nonce.utf8.distance(from: nonce.startIndex, to: place)] ^= 1
      #expect(expiry(String(decoding: altered, as: UTF8.self), old, challenge) == nil)
    }
    #expect(expiry(nonce + "00", old, challenge) == nil)
  }

  @Test("what was made with an older key stays good while the key is known")
  func olderKeys() throws {
    let old = keyring([1: [1]], current: 1)
    let both = keyring([1: [1], 2: [2]], current: 2)
    let new = keyring([2: [2]], current: 2)
    var claims = SessionClaims()
    claims.game = "demo"
    claims.expiresAt = 1_000
    for (maker, readers, strangers) in [(old, [old, both], [new]), (both, [both, new], [old])] {
      let token = SessionToken.issue(claims, maker)
      let credential = maker.gameServerCredential(game: "demo")
      let hash = maker.secretHash([7])
      for keyring in readers {
        #expect(try open(token, keyring) == claims)
        #expect(keyring.version(of: credential, ofServersOf: "demo") { $0 == $1 } != nil)
        #expect(keyring.secretHashes([7]).contains(hash))
        #expect(
          [keyring.secretHash([7])] + keyring.otherSecretHashes([7])
            == keyring.secretHashes([7]).reversed())
      }
      for keyring in strangers {
        #expect(throws: Failure.self) { try open(token, keyring) }
        #expect(keyring.version(of: credential, ofServersOf: "demo") { $0 == $1 } == nil)
        #expect(!keyring.secretHashes([7]).contains(hash))
      }
    }
  }

  @Test("1.4 the name of a pair's context is the same whoever of the two asks, and the pair's own")
  func pairs() {
    let keyring = keyring([1: [1]], current: 1)
    let name = keyring.pair(game: "demo", players[0], players[1])
    #expect(keyring.pair(game: "demo", players[1], players[0]) == name)
    #expect(keyring.pair(game: "demo", players[0], .init(high: 1, low: 3)) != name)
    #expect(keyring.pair(game: "other", players[0], players[1]) != name)
  }

  @Test("a key's number cannot be exchanged")
  func numbersAreSealed() {
    // Both keys are the same, so that nothing but the number tells them apart.
    let keyring = keyring([1: [1], 2: [1]], current: 1)
    var token = SessionToken.issue(SessionClaims(), keyring).array
    token[1] = 2
    let failure = #expect(throws: Failure.self) { try open(Bytes(token), keyring) }
    #expect(failure?.code == .invalidCredential)
  }

  @Test(
    "a credential of a game's servers is good as it was given, and in no other form",
    arguments: ["", ".", "1", "1.", "2.", "01.", "+1.", " 1.", "65536.", "a."])
  func credentials(start: String) {
    let keyring = keyring([1: [1]], current: 1)
    let credential = keyring.gameServerCredential(game: "demo")
    #expect(keyring.version(of: credential, ofServersOf: "demo") { $0 == $1 } != nil)
    #expect(keyring.version(of: credential, ofServersOf: "other") { $0 == $1 } == nil)
    let bytes = credential.dropFirst(2)
    for wrong in [start, start == "1." ? "1." + bytes.dropLast() : start + bytes] {
      #expect(keyring.version(of: wrong, ofServersOf: "demo") { $0 == $1 } == nil, "\(wrong)")
    }
  }

  @Test("a token of a gateway whose clock was ahead does not stay good until then")
  func tokensFromTheFuture() throws {
    let keyring = keyring([1: [1]], current: 1)
    var claims = SessionClaims()
    // Six hours, and one by which clocks may differ.
    claims.expiresAt = 7 * 3_600_000
    #expect(try open(SessionToken.issue(claims, keyring), keyring) == claims)
    claims.expiresAt += 1
    let failure = #expect(throws: Failure.self) {
      try open(SessionToken.issue(claims, keyring), keyring)
    }
    #expect(failure?.code == .sessionExpired)
  }

  @Test("a generation of one game's credential is revoked alone, and two are good side by side")
  func generations() {
    func keyring(_ generations: [String: ClosedRange<UInt32>]) -> Keyring {
      Keyring(
        { _ in KeySet(current: 1, [1: [1]]) }, generations: generations, hash: SessionScript.hash)
    }
    func knows(_ keyring: Keyring, _ credential: String, _ game: String = "demo") -> Bool {
      keyring.version(of: credential, ofServersOf: game) { $0 == $1 } != nil
    }
    let stages = [
      keyring([:]), keyring(["demo": 0...1]), keyring(["demo": 1...1]), keyring(["demo": 1...2]),
    ]
    let credentials = [
      stages[0].gameServerCredential(game: "demo"), stages[1].gameServerCredential(game: "demo"),
      stages[3].gameServerCredential(game: "demo"),
    ]
    #expect(stages[2].gameServerCredential(game: "demo") == credentials[1])
    let good = stages.map { stage in credentials.map { knows(stage, $0) } }
    #expect(
      good == [
        [true, false, false], [true, true, false], [false, true, false], [false, true, true],
      ])
    let other = stages[0].gameServerCredential(game: "other")
    #expect(stages.allSatisfy { knows($0, other, "other") && !knows($0, other) })
    // The generation is hashed, and has one form.
    let bytes = credentials[1].dropFirst("1.1.".count)
    for wrong in ["1.0.", "1.2.", "1.01.", "1.+1.", "1.", "1..", "1.1.1."] {
      #expect(!knows(stages[3], wrong + bytes) && !knows(stages[1], wrong + bytes), "\(wrong)")
    }
  }

  private func open(_ token: Bytes, _ keyring: Keyring) throws -> SessionClaims {
    try SessionToken.open(token, keyring, now: 0) { $0 == $1 }
  }
}
