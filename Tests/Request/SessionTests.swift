import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct SessionTests {
  let world = World()

  @Test("1.3 the first session in each game is told to the player's list of contexts, once")
  func firstSession() throws {
    let anna = try world.player(1)
    #expect(world.firstSessions.map(\.player) == [anna])
    #expect(world.firstSessions.first?.key == RoutingKey(reinterpreting: anna))
    var fetch = FetchPlayer()
    fetch.player = anna
    func isNew(_ game: String) throws -> Bool {
      try world.call(fetch, as: .sample(9), game: game, kind: .service).isNew
    }
    #expect(try !isNew("game") && isNew("other"))
    for _ in 0..<2 { try world.open(anna, game: "other") }
    #expect(try world.firstSessions.count == 2 && !isNew("other"))
    fetch.player = .sample(77)
    #expect(try !isNew("game"), "of unknown players nothing is said")
  }

  @Test("7.1 registering again is harmless until the first sign-in")
  func register() throws {
    let anna = PlayerID.sample(1)
    let registration = world.registration(anna)
    for _ in 0...1 { try world.driver.call(registration, as: anna, kind: .service) }
    var other = registration
    other.secretHash.hash = Bytes([1])
    #expect(
      try failure { try world.driver.call(other, as: anna, kind: .service) }?.code
        == .alreadyExists)
    try world.open(anna)
    try world.restart()
    #expect(
      try failure { try world.driver.call(registration, as: anna, kind: .service) }?.code
        == .alreadyExists)
  }

  @Test("7.2 unknown, wrong and revoked credentials are not told apart")
  func wrongCredentials() throws {
    let anna = try world.player(1)
    let ben = try world.player(2)
    let instance = try world.open(anna).instance
    var revoke = RevokeSession()
    revoke.player = anna
    revoke.instance = instance
    try world.driver.call(revoke, as: anna, kind: .service)
    let edits: [(inout OpenSession) -> Void] = [
      { $0.secretHashes[0].hash = Bytes([UInt8](repeating: 8, count: 32)) },
      { $0.secretHashes[0].hash = Bytes() },
      { $0.secretHashes[0].keyNumber = 2 },
      { $0.secretHashes = [] },
      { $0.device = .sample(77) },
      { $0.player = .sample(77) },
      { $0.player = ben },
      {
        $0.secretHashes = []
        $0.instance = instance
      },
      { $0.instance = 12345 },
    ]
    var texts: Set<String> = []
    for edit in edits {
      let failure = try failure { try world.open(anna, session: 9, edit: edit) }
      #expect(failure?.code == .invalidCredential)
      texts.insert(failure?.text ?? "")
    }
    #expect(texts.count == 1)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).isEmpty)
  }

  @Test("7.2 a secret is compared under the key that its stored hash was made with")
  func keyNumbers() throws {
    let anna = PlayerID.sample(1)
    func hash(_ keyNumber: UInt16, _ byte: UInt8) -> KeyedHash {
      KeyedHash(keyNumber: keyNumber, hash: Bytes([UInt8](repeating: byte, count: 32)))
    }
    var registration = world.registration(anna)
    registration.secretHash = hash(2, 22)
    try world.driver.call(registration, as: anna, kind: .service)
    try world.restart()
    let cases: [(hashes: [KeyedHash], isRight: Bool)] = [
      ([hash(1, 11), hash(2, 22), hash(3, 33)], true), ([hash(2, 22)], true),
      // The right bytes, under another key.
      ([hash(1, 22), hash(3, 22)], false), ([hash(1, 22), hash(2, 11)], false),
      ([hash(1, 11), hash(2, 2)], false), ([hash(0, 0)], false),
    ]
    for (hashes, isRight) in cases {
      let failure = try failure { try world.open(anna) { $0.secretHashes = hashes } }
      #expect(failure?.code == (isRight ? nil : .invalidCredential), "\(hashes)")
    }
  }

  @Test("7.1 a sign-in stores the hash under the gateway's newer key, and counts who needs which")
  func newerKey() throws {
    let (anna, ben) = (PlayerID.sample(1), PlayerID.sample(2))
    func hash(_ keyNumber: UInt16) -> KeyedHash {
      KeyedHash(keyNumber: keyNumber, hash: Bytes([UInt8](repeating: UInt8(keyNumber), count: 32)))
    }
    func signIn(_ player: PlayerID, _ numbers: [UInt16], current: UInt16) throws -> FailureCode? {
      try failure {
        try world.open(player) {
          $0.secretHashes = numbers.map { hash($0) }
          $0.currentKeyNumber = current
        }
      }?.code
    }
    func counts() -> [UInt16: Int] { world.driver.core.deviceCountsByKey }
    for player in [anna, ben] {
      var registration = world.registration(player)
      registration.secretHash = hash(1)
      try world.driver.call(registration, as: player, kind: .service)
      // Another gateway makes the attempt again, with its own current key.
      registration.secretHash = hash(2)
      #expect(
        try failure { try world.driver.call(registration, as: player, kind: .service) }?.code
          == .alreadyExists)
      registration.otherHashes = [hash(1)]
      try world.driver.call(registration, as: player, kind: .service)
    }
    #expect(counts() == [1: 2])
    #expect(try signIn(anna, [1, 2], current: 1) == nil && counts() == [1: 2])
    #expect(try signIn(anna, [1, 3], current: 2) == nil && counts() == [1: 2])
    #expect(try signIn(anna, [2], current: 2) == .invalidCredential)
    #expect(try signIn(anna, [1, 2], current: 2) == nil)
    #expect(counts() == [1: 1, 2: 1])
    #expect(try signIn(anna, [1, 2], current: 1) == nil, "a gateway that is behind")
    try world.restart()
    #expect(counts() == [1: 1, 2: 1])
    #expect(try signIn(anna, [2], current: 2) == nil)
    #expect(try signIn(anna, [1], current: 1) == .invalidCredential)
    #expect(try signIn(ben, [1, 2], current: 2) == nil && counts() == [1: 0, 2: 2])
  }

  @Test("7.1 each sign-in is a new instance; resuming keeps it, over a restart")
  func instances() throws {
    let anna = try world.player(1)
    let first = try world.open(anna).instance
    let second = try world.open(anna).instance
    #expect(first != 0 && second != 0 && first != second)
    try world.restart()
    let resumed = try world.open(anna, session: 4) {
      $0.secretHashes = []
      $0.instance = first
    }
    #expect(resumed.instance == first && resumed.displayName == "Player 1")
    let elsewhere = try failure {
      try world.open(anna, game: "other") {
        $0.secretHashes = []
        $0.instance = first
      }
    }
    #expect(elsewhere?.code == .invalidCredential)
  }

  @Test("2.8 a revoked session ends on its other connections")
  func revocation() throws {
    let anna = try world.player(1)
    let instance = try world.open(anna, session: 4).instance
    try world.open(anna, session: 5) { $0.instance = instance }
    try world.open(anna, session: 6)
    var revoke = RevokeSession()
    revoke.player = anna
    revoke.instance = instance
    try world.driver.call(revoke, as: anna, session: 4, kind: .service)
    let revoked = try world.driver.takePushes(SessionRevoked.self)
    #expect(revoked.map(\.session) == [5] && !revoked[0].event.canResume)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).map(\.session) == [6])
  }

  @Test("2.8 instances are bounded and expire when idle, but not while connected")
  func idle() throws {
    let anna = try world.player(1)
    let connected = try world.open(anna, session: 4).instance
    let idle = try world.open(anna).instance
    world.driver.clock += 31 * World.day
    world.driver.runTimers()
    #expect(try resume(idle, of: anna)?.code == .invalidCredential)
    #expect(try resume(connected, of: anna) == nil)
    for _ in 0..<70 {
      world.driver.clock += 1
      try world.open(anna)
    }
    #expect(world.driver.rows[18]?.count == 64)
    #expect(try resume(connected, of: anna) == nil)
    #expect(try world.driver.takePushes(SessionRevoked.self).isEmpty)
  }

  @Test("2.8 a connected session makes room only when all are connected")
  func connectedLast() throws {
    let world = World(settings: [.sessionsPerPlayerMax: 3])
    let anna = PlayerID.sample(1)
    try world.driver.call(world.registration(anna), as: anna, kind: .service)
    for session in [4, 0, 5, 6, 7] as [UInt64] {
      world.driver.clock += 1
      try world.open(anna, session: session)
      let revoked = try world.driver.takePushes(SessionRevoked.self).map(\.session)
      #expect(revoked == (session == 7 ? [4] : []))
    }
    #expect(world.driver.rows[18]?.count == 3)
  }

  @Test("2.8 a session is stored as used while it is connected, so that a restart ends none")
  func longConnected() throws {
    let anna = try world.player(1)
    world.driver.clock += 1
    let connected = try world.open(anna, session: 4).instance
    for _ in 0..<50 {
      world.driver.clock += World.day
      world.driver.runTimers()
      let row = world.driver.core.instances[InstanceKey(player: anna, instance: connected)]
      #expect(world.driver.clock - (row?.lastUsed ?? 0) <= 15 * World.day)
    }
    #expect(world.driver.rows[18]?.count == 1)
    try world.restart()
    world.driver.runTimers()
    #expect(try resume(connected, of: anna) == nil)
    world.driver.close(session: 9)
    world.driver.clock += 30 * World.day - 1
    world.driver.runTimers()
    #expect(world.driver.rows[18]?.count == 1)
    world.driver.clock += 1
    world.driver.runTimers()
    #expect(world.driver.rows[18]?.isEmpty == true)
  }

  @Test("2.8 a session that comes back within a minute of its last use stores nothing")
  func backAtOnce() throws {
    let anna = try world.player(1)
    let instance = try world.open(anna, session: 9).instance
    let minute = Instances.resumptionMilliseconds
    func lastUsed() -> Int64? {
      world.driver.core.instances[InstanceKey(player: anna, instance: instance)]?.lastUsed
    }
    world.driver.clock += World.day
    // Its gateway ends.
    world.driver.close(session: 9)
    let lost = world.driver.clock
    #expect(lastUsed() == lost)
    let rows = world.driver.rows
    world.driver.clock = lost + minute - 1
    #expect(try resume(instance, of: anna) == nil)
    #expect(world.driver.rows == rows && lastUsed() == lost)
    world.driver.clock = lost + minute
    #expect(try resume(instance, of: anna) == nil)
    #expect(world.driver.rows != rows && lastUsed() == lost + minute)
    world.driver.clock += 1
    world.driver.close(session: 9)
    #expect(lastUsed() == lost + minute + 1)
    try world.restart()
    #expect(lastUsed() == lost + minute + 1)
  }

  /// The refusal of an attempt to go on with the session on channel 9.
  private func resume(_ instance: UInt64, of player: PlayerID) throws -> Failure? {
    try failure {
      try world.open(player, session: 9) {
        $0.secretHashes = []
        $0.instance = instance
      }
    }
  }

  @Test("2.8 how many sessions a player can resume is a setting, which can be lowered")
  func sessionsMax() throws {
    let world = World(settings: [.sessionsPerPlayerMax: 6])
    let anna = try world.player(1)
    func counts(_ sessions: Int) throws -> [Int?] {
      try (0..<sessions).map { _ in
        world.driver.clock += 1
        try world.open(anna)
        return world.driver.rows[18]?.count
      }
    }
    #expect(try counts(6) == [2, 3, 4, 5, 6, 6])
    try world.restart(settings: [.sessionsPerPlayerMax: 3])
    #expect(try counts(5) == [5, 4, 3, 3, 3])
  }

  @Test("2.9 a profile has a display name and tells app users")
  func profile() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    var set = SetProfile()
    set.displayName = "Ben 🎲"
    try world.driver.call(set, as: ben)
    try world.restart()
    let profile = try world.driver.call(GetProfile(ben), as: anna)
    #expect(profile.player == ben && profile.displayName == "Ben 🎲" && profile.isAppUser)
    #expect(try !world.call(GetProfile(ben), as: anna, game: "other").isAppUser)
  }

  @Test(
    "2.9 display names have limits",
    arguments: [
      (" ", false), ("a", true), (String(repeating: "é", count: 40), true),
      (String(repeating: "a", count: 41), false), ("a\nb", false),
      ("a" + String(repeating: "\u{301}", count: 81), false),
      // It is too long as it came, though it would be kept as one letter.
      ("a" + String(repeating: " ", count: ProfileRules.typedBytesMax), false),
    ])
  func displayName(name: String, isGood: Bool) throws {
    let anna = try world.player(1)
    var set = SetProfile()
    set.displayName = name
    let failure = try failure { try world.driver.call(set, as: anna) }
    #expect((failure == nil) == isGood)
    if !isGood { #expect(failure?.code == .invalidArgument && failure?.argument == "displayName") }
  }

  @Test(
    "2.9 a display name is kept in one form, whatever was typed",
    arguments: [
      ("e\u{301}", "\u{e9}"), ("  Ada  B\u{3000}\u{a0}C ", "Ada B C"),
      ("\u{1100}\u{1161}", "\u{ac00}"),
      ("\u{212b}ke", "\u{c5}ke"),
    ])
  func keptName(typed: String, kept: String) throws {
    let (anna, ben) = (try world.player(1), try world.player(2, name: typed))
    var set = SetProfile()
    set.displayName = typed
    try world.driver.call(set, as: anna)
    for player in [anna, ben] {
      let name = try world.driver.call(GetProfile(player), as: anna).displayName
      // Strings are equal when they look the same: compare their bytes.
      #expect(Array(name.utf8) == Array(kept.utf8))
    }
  }

  @Test("7.2 clients cannot call what only services may")
  func access() throws {
    let anna = try world.player(1)
    var read = FetchFriends()
    read.player = anna
    #expect(try failure { try world.driver.call(read, as: anna) }?.code == .notAllowed)
    #expect(
      try failure { try world.driver.call(RequestConcluded(), as: anna) }?.code == .notAllowed)
    #expect(
      try failure { try world.driver.call(FriendEdgeChanged(), as: anna) }?.code == .notAllowed)
  }
}
