import Identity
import Testing

/// What an advice says, without the key itself.
enum Advice: Equatable {
  case verify(String?, refresh: Bool)
  case fetch
  case wait
  case unavailable(Int64)
  case refuse(IdentityError)
}

/// A cache at a time that the test sets, in seconds.
struct CacheWorld {
  var cache = KeyCache(url: "https://keys.example/jwks", format: .document([.rs256, .es256]))
  var order: FetchOrder?

  mutating func ask(_ keyID: String, at now: Int64, arrival: Int64? = nil) -> Advice {
    switch cache.advice(for: keyID, arrival: (arrival ?? now) * 1000, now: now * 1000) {
    case .verify(let key, let refresh):
      order = refresh ?? order
      return .verify(key.keyID, refresh: refresh != nil)
    case .fetch(let order):
      self.order = order
      return .fetch
    case .wait: return .wait
    case .unavailable(let until): return .unavailable(until / 1000)
    case .refuse(let error): return .refuse(error)
    }
  }

  mutating func fetched(_ ids: [String], _ freshSeconds: Int? = nil, at now: Int64) throws {
    let keys = Dictionary(uniqueKeysWithValues: ids.map { ($0, Keys.p256) })
    try cache.fetched(
      #require(order), document: bytes(TokenWorld.published(keys)), freshSeconds: freshSeconds,
      now: now * 1000)
  }

  mutating func failed() throws { cache.fetchFailed(try #require(order)) }

  /// A cache that has fetched the key `a` at the time 0.
  static func withKey(_ freshSeconds: Int? = 3600) throws -> Self {
    var world = Self()
    #expect(world.ask("a", at: 0) == .fetch)
    try world.fetched(["a"], freshSeconds, at: 1)
    return world
  }
}

@Suite("Key cache")
struct KeyCacheTests {
  @Test("An operator may set other bounds for how long keys are fresh, and how old they get")
  func bounds() throws {
    for (told, freshSeconds) in [(1, 60), (999_999, 3600)] as [(Int, Int64)] {
      var world = CacheWorld()
      world.cache = KeyCache(
        url: "https://keys.example/jwks", format: .document([.es256]),
        freshMilliseconds: 60_000...3_600_000)
      #expect(world.ask("a", at: 0) == .fetch)
      try world.fetched(["a"], told, at: 0)
      #expect(world.ask("a", at: freshSeconds * 9 / 10 - 1) == .verify("a", refresh: false))
      #expect(world.ask("a", at: freshSeconds * 9 / 10) == .verify("a", refresh: freshSeconds > 60))
      if freshSeconds == 60 { #expect(world.ask("a", at: 60) == .fetch) }
      try world.failed()
      #expect(world.ask("a", at: 3599) == .verify("a", refresh: true))
      try world.failed()
      #expect(world.ask("a", at: 3600) == .unavailable(3609))
    }
  }

  @Test("The first proof fetches, those beside it wait, and all are verified")
  func first() throws {
    var world = CacheWorld()
    #expect(world.ask("a", at: 0) == .fetch)
    #expect(world.order?.url == "https://keys.example/jwks")
    #expect(world.ask("a", at: 1) == .wait)
    try world.fetched(["a"], at: 2)
    #expect(world.ask("a", at: 2, arrival: 0) == .verify("a", refresh: false))
  }

  @Test(
    "A document is fresh as its answer says, within bounds; then a proof waits for the next",
    arguments: [
      (nil, 300), (0, 300), (1, 300), (299, 300), (310, 310), (1800, 1800), (86_400, 86_400),
      (86_401, 86_400), (-5, 300), (Int.max, 86_400), (Int.min, 300),
    ] as [(Int?, Int64)])
  func fresh(_ told: Int?, _ seconds: Int64) throws {
    var world = try CacheWorld.withKey(told)
    #expect(world.ask("a", at: seconds * 9 / 10 - 1) == .verify("a", refresh: false))
    #expect(world.ask("a", at: seconds * 9 / 10) == .verify("a", refresh: true))
    #expect(world.ask("a", at: seconds * 9 / 10 + 29) == .verify("a", refresh: false))
    var idle = try CacheWorld.withKey(told)
    #expect(idle.ask("a", at: seconds) == .fetch)
    #expect(idle.ask("a", at: seconds) == .wait)
  }

  @Test("After a day no key serves on, whatever the answer said")
  func ceiling() throws {
    var world = try CacheWorld.withKey(.max)
    #expect(world.ask("a", at: 86_399) == .verify("a", refresh: true))
    try world.failed()
    #expect(world.ask("a", at: 86_400, arrival: 86_400) == .unavailable(86_409))
    #expect(world.ask("a", at: 86_409) == .fetch)
  }

  @Test("While the provider cannot be reached, the old keys serve on, with an attempt a minute")
  func unreachable() throws {
    var world = try CacheWorld.withKey(600)
    #expect(world.ask("a", at: 600) == .fetch)
    try world.failed()
    var attempts = 0
    for now in Int64(601)..<4200 {
      let advice = world.ask("a", at: now)
      if advice == .verify("a", refresh: true) {
        attempts += 1
        try world.failed()
      } else {
        #expect(advice == .verify("a", refresh: false))
      }
    }
    #expect(attempts == 59)
    #expect(world.ask("a", at: 4200) == .verify("a", refresh: true))
    try world.fetched(["a"], at: 4201)
    #expect(world.ask("a", at: 4201) == .verify("a", refresh: false))
  }

  @Test("A document without keys counts as a failed fetch")
  func badDocument() throws {
    var world = try CacheWorld.withKey(600)
    #expect(world.ask("a", at: 600) == .fetch)
    #expect(throws: KeyDocumentError.notJSON(.malformed)) {
      try world.cache.fetched(
        #require(world.order), document: bytes("<html>"), freshSeconds: nil, now: 601_000)
    }
    #expect(world.ask("a", at: 601) == .verify("a", refresh: false))
  }

  @Test("An unknown key id fetches once a minute at most, and a right one never waits for it")
  func unknown() throws {
    var world = try CacheWorld.withKey()
    var fetches = 0
    for now in Int64(1)..<3200 {
      switch world.ask("forged\(now)", at: now) {
      case .fetch:
        fetches += 1
        #expect(world.ask("forged", at: now) == .wait)
        #expect(world.ask("a", at: now) == .verify("a", refresh: false))
        try world.fetched(["a"], 3600, at: now)
        #expect(world.ask("forged\(now)", at: now) == .refuse(.keyUnknown))
      case .unavailable(let until): #expect(until == Int64(fetches + 1) * 60)
      default: Issue.record("neither fetched nor put off at \(now)")
      }
    }
    #expect(fetches == 53)
  }

  @Test("A new key that comes right after a fetch is put off, and then taken")
  func rotatedTooEarly() throws {
    var world = try CacheWorld.withKey()
    #expect(world.ask("b", at: 5) == .unavailable(60))
    #expect(world.ask("b", at: 60, arrival: 5) == .fetch)
    try world.fetched(["a", "b"], at: 61)
    #expect(world.ask("b", at: 61, arrival: 5) == .verify("b", refresh: false))
    #expect(world.ask("a", at: 61) == .verify("a", refresh: false))
  }

  @Test("A fetch that began before the proof came proves nothing against its key")
  func fetchBefore() throws {
    var world = try CacheWorld.withKey(600)
    #expect(world.ask("x", at: 100) == .fetch)
    #expect(world.ask("b", at: 101) == .wait)
    try world.fetched(["a"], at: 102)
    #expect(world.ask("x", at: 102, arrival: 100) == .refuse(.keyUnknown))
    #expect(world.ask("b", at: 102, arrival: 101) == .unavailable(160))
    #expect(world.ask("b", at: 160, arrival: 101) == .fetch)
    try world.failed()
    #expect(world.ask("b", at: 161, arrival: 101) == .unavailable(220))
  }

  @Test("Without keys there is an attempt every ten seconds, and nobody is refused")
  func neverReached() throws {
    var world = CacheWorld()
    for begin in stride(from: Int64(0), to: 100, by: 10) {
      #expect(world.ask("a", at: begin) == .fetch)
      try world.failed()
      #expect(world.ask("a", at: begin + 9, arrival: begin) == .unavailable(begin + 10))
    }
  }

  @Test("A fetch that says nothing is given up after a minute, and its late answer not taken")
  func lost() throws {
    var world = CacheWorld()
    #expect(world.ask("a", at: 0) == .fetch)
    let late = try #require(world.order)
    #expect(world.ask("a", at: 59) == .wait)
    #expect(world.ask("a", at: 60) == .fetch)
    #expect(world.order != late)
    try world.cache.fetched(
      late, document: bytes(TokenWorld.published(["a": Keys.p256])), freshSeconds: nil, now: 61_000)
    #expect(world.ask("a", at: 61) == .wait)
    world.cache.fetchFailed(late)
    #expect(world.ask("a", at: 61) == .wait)
  }

  @Test("Configured keys are never fetched")
  func configured() throws {
    let key = try VerificationKey(pem: Keys.p256.pem, keyID: "one")
    let other = try VerificationKey(pem: Keys.rsa.pem, keyID: "two")
    var world = CacheWorld(cache: KeyCache(KeySet([key, other])))
    #expect(world.ask("two", at: 0) == .verify("two", refresh: false))
    #expect(world.ask("three", at: 0) == .refuse(.keyUnknown))
    #expect(world.ask("two", at: 1_000_000_000) == .verify("two", refresh: false))
  }
}
