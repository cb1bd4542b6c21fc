import GatewayCore
import Identity
import Operations
import TestKit
import Testing
import Wire

/// Identities on the whole way from a client's call to the player's row.
@Suite("Sign-in with identities")
struct SignInTests {
  /// A provider's world whose tokens have a nonce of the gateway's, and the way to sign in there.
  struct Meeting {
    var world: TokenWorld
    let name: String
    let path: SignInPath
    var nonce = ""

    init(_ world: TokenWorld, _ name: String, attempt: UInt64 = 1) throws {
      (self.world, self.name) = (world, name)
      path = SignInPath(
        [name: try Self.provider(world)], now: world.now)
      if let url = world.provider.keysURL { path.documents[url] = world.document.map(bytes) }
      try renew(attempt)
    }

    static func provider(_ world: TokenWorld) throws -> IdentityProviders.Provider {
      guard world.document == nil else { return .token(world.provider, keys: nil) }
      let key = try VerificationKey(pem: world.key.pem, keyID: world.keyID)
      return .token(world.provider, keys: Identity.KeySet([key]))
    }

    /// The world's tokens have the nonce of another attempt from now on.
    mutating func renew(_ attempt: UInt64) throws {
      guard world.provider.nonce != .notUsed else { return }
      nonce = try path.nonce(attempt)
      world.nonce = nonce
      world.nonceClaim = world.provider.nonce == .plain ? nonce : hex(digest(bytes(nonce)))
    }

    func signUp(
      _ token: String, nonce: String? = nil, attempt: UInt64 = 1
    ) throws -> SignUpWithIdentity.Reply {
      try path.signUp(
        path.proof(name, token, nonce: nonce ?? self.nonce, attempt: attempt))
    }
  }

  static let worlds: [(String, @Sendable () -> TokenWorld)] = [
    ("apple", { .apple() }), ("google", { .google() }), ("facebook", { .facebook() }),
    ("chess", { .custom() }),
  ]

  @Test("7.2 no forged token signs anybody in, and nobody learns why", arguments: 0...3)
  func forged(_ place: Int) throws {
    let (name, world) = Self.worlds[place]
    let meeting = try Meeting(world(), name)
    var forgeries = commonForgeries(meeting.world)
    if meeting.world.key.isRSA { forgeries += rsaForgeries(meeting.world) }
    #expect(forgeries.count >= 25)
    var told: Set<String> = []
    for forgery in forgeries {
      meeting.path.now = forgery.time ?? meeting.world.now
      do {
        let nonce = forgery.nonce.map { $0 ?? "" }
        _ = try meeting.signUp(forgery.proof, nonce: nonce)
        Issue.record("accepted: \(forgery.title)")
      } catch let failure as Failure {
        #expect(failure.code == .invalidCredential, "\(forgery.title): \(failure)")
        told.insert("\(failure)")
      }
      meeting.path.now = meeting.world.now
    }
    #expect(told.count == 1, "\(told)")
    #expect(meeting.path.core.rows[27] == nil, "an identity was made")
    let reply = try meeting.signUp(meeting.world.token())
    #expect(reply.isNew)
    #expect(try meeting.path.signIn(reply).player == reply.player)
  }

  @Test("7.2 a stolen token is of no use, before its player has used it or after", arguments: 0...3)
  func replay(_ place: Int) throws {
    let (name, world) = Self.worlds[place]
    var meeting = try Meeting(world(), name)
    let (token, nonce) = (meeting.world.token(), meeting.nonce)
    func refused(_ attempt: UInt64, _ nonce: String) throws -> FailureCode? {
      do {
        _ = try meeting.signUp(token, nonce: nonce, attempt: attempt)
        return nil
      } catch let failure as Failure { return failure.code }
    }
    if meeting.world.provider.nonce != .notUsed {
      #expect(try refused(2, nonce) == .invalidCredential, "with the nonce as it is")
      #expect(try refused(2, try meeting.path.nonce(2)) == .invalidCredential)
    }
    let first = try meeting.signUp(token)
    #expect(try refused(2, nonce) == .invalidCredential)
    let again = try meeting.signUp(token)
    #expect(again.isNew && (again.player, again.device) == (first.player, first.device))
    #expect(again.secret == first.secret, "the same attempt gets the same credential")
    // A nonce counts once, whatever else a second token says.
    if meeting.world.provider.nonce != .notUsed {
      let later = meeting.world.claims.with("iat", "\(meeting.world.seconds - 1)")
      #expect(try meeting.signUp(meeting.world.token(claims: later)).player == first.player)
      try meeting.renew(3)
      #expect(
        try refused(3, meeting.nonce) == .invalidCredential, "the token has another nonce")
    }
  }

  @Test("7.2 a nonce is good for ten minutes, for its attempt, and if a gateway has made it")
  func nonces() throws {
    var world = TokenWorld.google()
    world.provider.ageSecondsMax = 24 * 3600
    var meeting = try Meeting(world, "google")
    let claims = { meeting.world.claims.with("exp", "\(meeting.world.seconds + 86_000)") }
    let token = meeting.world.token(claims: claims())
    let flipped = String(meeting.nonce.dropLast()) + (meeting.nonce.hasSuffix("0") ? "1" : "0")
    for (nonce, attempt) in [
      ("", 1), (flipped, 1), (meeting.nonce.uppercased(), 1), (meeting.nonce, 2), ("zz", 1),
    ] as [(String, UInt64)] {
      #expect(throws: Failure.self) {
        try meeting.signUp(token, nonce: nonce, attempt: attempt)
      }
    }
    meeting.path.now += 600_000
    #expect(throws: Failure.self) { try meeting.signUp(token) }
    meeting.path.now -= 1
    _ = try meeting.signUp(token)
    var call = FetchNonce()
    call.challenge = Bytes([1, 2, 3])
    #expect(throws: Failure.self) { try meeting.path.call(call) }
    let before = meeting.nonce
    try meeting.renew(5)
    #expect(meeting.nonce != before, "each attempt has a nonce of its own")
  }

  @Test("7.2 on the warm path no other server is called, and where keys lack it is told")
  func warm() throws {
    let meeting = try Meeting(.google(), "google")
    let url = try #require(meeting.world.provider.keysURL)
    meeting.path.documents = [:]
    do {
      _ = try meeting.signUp(meeting.world.token())
      Issue.record("signed in without keys")
    } catch let failure as Failure {
      #expect(failure.code == .unavailable && failure.retryAfterMilliseconds > 0)
    }
    #expect(meeting.path.core.rows[28] == nil, "a proof was used up in vain")
    meeting.path.documents[url] = meeting.world.document.map(bytes)
    meeting.path.now += 10_000
    _ = try meeting.signUp(meeting.world.token())
    let count = meeting.path.calls.count
    for _ in 0..<5 { _ = try meeting.signUp(meeting.world.token()) }
    #expect(meeting.path.calls.count == count)
    // Unknown keys cost one fetch a minute, and right tokens are taken meanwhile.
    for number in 0..<100 {
      let header = meeting.world.header.with("kid", quoted("unknown \(number)"))
      #expect(throws: Failure.self) { try meeting.signUp(meeting.world.token(header: header)) }
      _ = try meeting.signUp(meeting.world.token())
      meeting.path.now += 1_000
    }
    #expect(meeting.path.calls.count <= count + 3)
  }

  @Test("7.2 who learns an attempt gets nothing by it that others got")
  func attemptAlone() throws {
    let meeting = try Meeting(.custom(), "chess")
    func token(_ subject: String) -> String {
      meeting.world.token(claims: meeting.world.claims.with("sub", quoted(subject)))
    }
    var plain = SignUp()
    (plain.attempt, plain.displayName) = (SignInPath.attempt(1), "Ada")
    let signedUp = try meeting.path.call(plain)
    let anna = try meeting.signUp(token("anna"), attempt: 1)
    let thief = try meeting.signUp(token("thief"), attempt: 1)
    #expect(Set([signedUp.secret, anna.secret, thief.secret]).count == 3)
    #expect(Set([signedUp.device, anna.device, thief.device]).count == 3)
  }

  @Test("7.2 a player's list names the providers as clients do")
  func names() throws {
    let meeting = try Meeting(.facebook(), "facebook")
    let reply = try meeting.signUp(meeting.world.token())
    try meeting.path.core.deliverOwnEffects()
    let own = try meeting.path.core.call(ListIdentities(), as: reply.player).identities
    #expect(own.map(\.provider) == ["facebook"])
  }

  @Test("7.2 a provider that the operator has not set up is off")
  func off() throws {
    let path = SignInPath([:], now: 1_700_000_000_000)
    for provider in ["apple", "google", "facebook", "gamecenter", "steam", "custom", ""] {
      do {
        _ = try path.signUp(path.proof(provider, "a.b.c", attempt: 1))
        Issue.record("\(provider) is on")
      } catch let failure as Failure {
        #expect(failure.code == .notFound && failure.argument == "provider")
      }
    }
    let google = try Meeting(.google(), "google")
    do {
      var proof = google.path.proof("google", google.world.token(), attempt: 1)
      proof.attempt = RoutingKey()
      _ = try google.path.signUp(proof)
      Issue.record("signed up without an attempt")
    } catch let failure as Failure {
      #expect(failure.code == .requiredArgument && failure.argument == "attempt")
    }
    #expect(google.path.calls.isEmpty)
  }

  @Test("7.1 a gateway that is cut off after any call loses no player and makes none twice")
  func cutOff() throws {
    for callCount in 0...2 {
      let meeting = try Meeting(.custom(), "chess")
      meeting.path.serviceCallsLeft = callCount
      let token = meeting.world.token()
      let first = try? meeting.signUp(token)
      #expect((first != nil) == (callCount == 2))
      meeting.path.serviceCallsLeft = .max
      try meeting.path.core.deliverOwnEffects()
      let second = try meeting.signUp(token)
      #expect(first == nil || first?.player == second.player)
      try meeting.path.signIn(second)
      #expect(meeting.path.core.rows[16]?.count == 1)
    }
  }

  @Test("7.3 who comes by an identity of a player who is being erased waits, and is somebody new")
  func beingErased() throws {
    let meeting = try Meeting(.custom(), "chess")
    let core = meeting.path.core
    func token(_ issued: Int64) -> String {
      meeting.world.token(
        claims: meeting.world.claims.with("iat", "\(meeting.world.seconds - issued)"))
    }
    let first = try meeting.signUp(token(1), attempt: 1)
    try core.call(ErasePlayer(first.player), as: PlayerID(), kind: .deploymentOperator)
    #expect(try core.deliverFirst(EraseRequestRecords.self))
    do {
      _ = try meeting.signUp(token(2), attempt: 2)
      Issue.record("signed up while the player is being erased")
    } catch let failure as Failure {
      #expect(failure.code == .unavailable && failure.retryAfterMilliseconds == 1_000)
    }
    for _ in 0..<4 {
      try core.deliverOwnEffects()
      _ = core.runTimers()
      meeting.path.now += 1_000
    }
    let second = try meeting.signUp(token(2), attempt: 2)
    #expect(second.isNew && second.player != first.player)
  }

  @Test("7.2 a link that meets another player tells both, and goes on with the same proof")
  func link() throws {
    let meeting = try Meeting(.custom(), "chess")
    let path = meeting.path
    func token(_ subject: String, _ issued: Int64) -> String {
      let claims = meeting.world.claims.with("sub", quoted(subject))
        .with("iat", "\(meeting.world.seconds - issued)")
      return meeting.world.token(claims: claims)
    }
    let anna = try meeting.signUp(token("anna", 1), attempt: 1)
    let ben = try meeting.signUp(token("ben", 1), attempt: 2)
    try path.core.deliverOwnEffects()
    try path.signIn(ben)
    path.now += 1
    var link = LinkIdentity()
    link.proof = path.proof("chess", token("ben-2", 1), attempt: 3)
    _ = try path.call(link)
    path.now += 1
    link.proof = path.proof("chess", token("anna", 2), attempt: 4)
    do {
      _ = try path.call(link)
      Issue.record("an identity of another player was linked")
    } catch let failure as Failure {
      #expect(failure.code == .conflict && failure.argument == "proof")
      let conflict = try IdentityConflict(decoding: failure.detail.array)
      #expect(conflict == IdentityConflict(owner: anna.player, player: ben.player))
    }
    link.movesFrom = ben.player
    #expect(throws: Failure.self, "it is not Ben's") { try path.call(link) }
    link.movesFrom = anna.player
    let identity = try path.call(link).identity
    try path.core.deliverOwnEffects()
    let own = try path.core.call(ListIdentities(), as: ben.player).identities
    #expect(own.map(\.subject) == ["ben", "ben-2", "anna"])
    #expect(own.last?.identity == identity)
    path.reconnect()
    #expect(try meeting.signUp(token("anna", 3), attempt: 5).player == ben.player)
    // Anna signs in with her device still.
    #expect(try path.signIn(anna).player == anna.player)
  }

  @Test("7.1 a gateway that is cut off within a move leaves what the repeated call ends")
  func cutOffMove() throws {
    for callCount in 0...6 {
      let meeting = try Meeting(.custom(), "chess")
      let path = meeting.path
      func token(_ subject: String) -> String {
        meeting.world.token(claims: meeting.world.claims.with("sub", quoted(subject)))
      }
      let anna = try meeting.signUp(token("anna"), attempt: 1)
      let ben = try meeting.signUp(token("ben"), attempt: 2)
      try path.core.deliverOwnEffects()
      try path.signIn(ben)
      var link = LinkIdentity()
      link.proof = path.proof("chess", token("anna"), attempt: 1)
      link.movesFrom = anna.player
      path.serviceCallsLeft = callCount
      let first = try? path.call(link)
      #expect((first == nil) == (callCount < 5))
      path.serviceCallsLeft = .max
      if callCount % 2 == 0 { try path.core.deliverOwnEffects() }
      _ = try path.call(link)
      try path.core.deliverOwnEffects()
      let own = try path.core.call(ListIdentities(), as: ben.player).identities
      #expect(Set(own.map(\.subject)) == ["anna", "ben"])
      #expect(try path.core.call(ListIdentities(), as: anna.player).identities.isEmpty)
    }
  }

  @Test("7.2 Game Center's signatures sign in, once, and forged ones do not")
  func gameCenter() throws {
    let world = try GameCenterWorld()
    let path = SignInPath(
      ["gamecenter": .gameCenter(world.provider, world.trust)], now: world.now)
    let right = world.proof()
    path.documents[right.certificateURL] = world.certificate
    func signUp(_ proof: GameCenterProof, attempt: UInt64 = 1) throws -> PlayerID {
      var sent = IdentityProof()
      (sent.provider, sent.attempt) = ("gamecenter", SignInPath.attempt(attempt))
      var signature = GameCenterSignature()
      (signature.playerID, signature.bundleID) = (proof.playerID, proof.bundleID)
      (signature.timestamp, signature.salt) = (proof.timestamp, Bytes(proof.salt))
      signature.signature = Bytes(proof.signature)
      signature.certificateURL = proof.certificateURL
      sent.gameCenter = signature
      return try path.signUp(sent).player
    }
    var altered = right
    altered.playerID = "T:_0000000000000000000000000000000f"
    var elsewhere = right
    elsewhere.certificateURL = "https://forger.example/public-key/gc-prod-10.cer"
    for wrong in [
      world.proof(by: Keys.rsaForger), altered, elsewhere,
      world.proof { $0.bundleID = "com.example.other" },
      world.proof { $0.timestamp -= 600_000 }, world.proof { $0.timestamp += 120_000 },
    ] {
      do {
        _ = try signUp(wrong)
        Issue.record("accepted: \(wrong)")
      } catch let failure as Failure { #expect(failure.code == .invalidCredential) }
    }
    #expect(path.calls.allSatisfy { $0 == right.certificateURL })
    let player = try signUp(right)
    #expect(throws: Failure.self, "a replay") { try signUp(right, attempt: 2) }
    #expect(try signUp(world.proof { $0.salt = [9] }, attempt: 3) == player)
  }

  @Test("7.2 Steam is asked about a ticket, which counts once")
  func steam() throws {
    let now = SteamTests.now
    let provider = SteamTests.provider
    let path = SignInPath(["steam": .steam(provider)], now: now)
    func answer(_ ticket: String, _ fields: [(String, String)]) throws {
      path.documents[try provider.call(ticket: ticket).secretURL] = bytes(SteamTests.answer(fields))
    }
    let borrowed = SteamTests.fields.with("ownersteamid", quoted("76561198000000001"))
    try answer("aa", SteamTests.fields.with("result", quoted("Invalid")))
    try answer("bb", borrowed)
    try answer("cc", SteamTests.fields)
    for (ticket, code) in [
      ("aa", .invalidCredential), ("bb", .invalidCredential), ("xyz", .invalidCredential),
      ("dd", .unavailable),
    ] as [(String, FailureCode)] {
      do {
        _ = try path.signUp(path.proof("steam", ticket, attempt: 1))
        Issue.record("accepted: \(ticket)")
      } catch let failure as Failure { #expect(failure.code == code, "\(ticket)") }
    }
    let player = try path.signUp(path.proof("steam", "cc", attempt: 1)).player
    #expect(throws: Failure.self) { try path.signUp(path.proof("steam", "CC", attempt: 2)) }
    try answer("ee", SteamTests.fields)
    #expect(try path.signUp(path.proof("steam", "ee", attempt: 3)).player == player)
  }
}

extension SignInTests {
  @Test("7.2 strangers' tickets use up no more of Steam's calls than the operator allows")
  func steamBudget() throws {
    let now = SteamTests.now
    let path = SignInPath(
      ["steam": .steam(SteamTests.provider)], now: now, questionsPerMinute: 3)
    var told: [FailureCode] = []
    for number in 0..<10 {
      do {
        _ = try path.signUp(path.proof("steam", "aabb0\(number)", attempt: 1))
      } catch let failure as Failure {
        told.append(failure.code)
        #expect(failure.retryAfterMilliseconds > 0)
      }
    }
    #expect(told.count == 10 && path.calls.count == 3)
    path.now += 20_000
    for _ in 0..<2 { _ = try? path.signUp(path.proof("steam", "aabb", attempt: 1)) }
    #expect(path.calls.count == 4)
  }
}

/// Lowercase digits, written by hand: not by the code that is tested.
func hex(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }.joined()
}
