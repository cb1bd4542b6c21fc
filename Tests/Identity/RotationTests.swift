import Domain
import Identity
import Testing

@Suite("Rotation of keys")
struct RotationTests {
  /// A provider that changes its key at random and cannot always be reached, fetches that take
  /// seconds, players with right tokens, and a forger who signs with a key of its own under ids
  /// that are published, were published or never will be.
  @Test(
    "No right token is refused while keys rotate, and no forged one taken",
    arguments: 1...20 as ClosedRange<UInt64>)
  func rotation(_ seed: UInt64) throws {
    var world = RotationWorld(seed: seed)
    for _ in 0..<400 { try world.step() }
    let counts = world.counts
    #expect(counts.wrong.isEmpty, "seed \(seed)")
    #expect(counts.verified > 100 && counts.putOff > 0, "seed \(seed): \(counts)")
    #expect(counts.refusedForID > 5 && counts.refusedForSignature > 5, "seed \(seed): \(counts)")
    #expect(world.count > 2, "seed \(seed): the key did not rotate")
    #expect(counts.fetches <= Int((world.now - world.begin) / 60_000) + 1)
  }
}

private struct RotationWorld {
  /// A token on its way.
  struct Attempt {
    let token: CompactToken
    let arrival: Int64
    let isForged: Bool
    /// When the client tries again, where it was told a time.
    var next: Int64
  }
  struct Fetching {
    let order: FetchOrder
    let end: Int64
    /// The document that the provider sends, when it can be reached.
    let document: [UInt8]?
  }
  struct Counts {
    var verified = 0
    var refusedForID = 0
    var refusedForSignature = 0
    var putOff = 0
    var fetches = 0
    var wrong: [String] = []
  }

  private let forger = SigningKey(.p256)
  private let token = TokenWorld.custom()
  private let provider: TokenProvider
  private var random: RandomSource
  private var cache = KeyCache(url: "https://keys.example", format: .document([.es256]))
  /// What the provider publishes: the key that signs now, and the one before.
  private var published: [(id: String, key: SigningKey)] = [("k0", SigningKey(.p256))]
  private(set) var count = 0
  private var rotatedAt: Int64
  private var waiting: [Attempt] = []
  private var fetching: Fetching?
  let begin: Int64
  private(set) var now: Int64
  private(set) var counts = Counts()

  init(seed: UInt64) {
    random = .seeded(seed)
    provider = token.provider
    begin = token.now
    now = begin
    rotatedAt = begin
  }

  mutating func step() throws {
    now += Int64.random(in: 0...6_000, using: &random)
    // Providers publish a key for longer than a player waits.
    if now - rotatedAt > 300_000, chance(20) { rotate() }
    try endFetch()
    let arrivals = waiting.filter { $0.next <= now }
    waiting.removeAll { $0.next <= now }
    for attempt in arrivals { try attemptSignIn(attempt) }
    try attemptSignIn(newAttempt())
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func rotate() {
    count += 1
    rotatedAt = now
    published = [published[published.count - 1], ("k\(count)", SigningKey(.p256))]
  }

  private mutating func newAttempt() throws -> Attempt {
    let isForged = chance(40)
    let newest = published[published.count - 1]
    var id = newest.id
    if isForged && chance(50) {
      id = chance(50) ? "forged\(Int.random(in: 0..<8, using: &random))" : "k\(count + 1)"
    } else if isForged {
      id = published[Int.random(in: 0..<published.count, using: &random)].id
    }
    var world = token
    world.keyID = id
    let seconds = now / 1000
    let claims = world.claims.with("iat", "\(seconds)").with("exp", "\(seconds + 600)")
    let text = world.token(object(world.header), object(claims), by: isForged ? forger : newest.key)
    return Attempt(
      token: try CompactToken(bytes(text)), arrival: now, isForged: isForged, next: now)
  }

  private mutating func attemptSignIn(_ attempt: Attempt) throws {
    var later = attempt
    switch cache.advice(for: attempt.token.keyID, arrival: attempt.arrival, now: now) {
    case .verify(let key, let refresh):
      if let refresh { beginFetch(refresh) }
      return verify(attempt, key)
    case .refuse(let error):
      if error == .keyUnknown { counts.refusedForID += 1 }
      if !attempt.isForged { counts.wrong.append("right token refused: \(error)") }
      return
    case .fetch(let order):
      beginFetch(order)
      later.next = now + 1
    case .wait: later.next = now + 1
    case .unavailable(let until): later.next = until
    }
    counts.putOff += 1
    // Nobody waits for ever.
    if now - attempt.arrival < 200_000 { waiting.append(later) }
  }

  private mutating func verify(_ attempt: Attempt, _ key: VerificationKey) {
    do {
      _ = try provider.verify(attempt.token, with: key, now: now)
      counts.verified += 1
      if attempt.isForged { counts.wrong.append("forged token taken") }
    } catch {
      if error == .signatureWrong { counts.refusedForSignature += 1 }
      if !attempt.isForged { counts.wrong.append("right token refused: \(error)") }
    }
  }

  private mutating func beginFetch(_ order: FetchOrder) {
    counts.fetches += 1
    let keys = Dictionary(uniqueKeysWithValues: published.map { ($0.id, $0.key) })
    let document = chance(10) ? nil : bytes(TokenWorld.published(keys))
    fetching = Fetching(
      order: order, end: now + Int64.random(in: 0...20_000, using: &random), document: document)
  }

  private mutating func endFetch() throws {
    guard let done = fetching, done.end <= now else { return }
    fetching = nil
    if let document = done.document {
      try cache.fetched(done.order, document: document, freshSeconds: 600, now: now)
    } else {
      cache.fetchFailed(done.order)
    }
  }
}
