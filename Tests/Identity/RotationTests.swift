import Identity
import Testing

@Suite("Rotation of keys")
struct RotationTests {
  /// A provider that changes its key at random, and tells at random when it cannot be reached; a
  /// player with a right token every second or so, and a forger beside it.
  @Test("No right token is refused while keys rotate, and no forged one taken", arguments: 1...40)
  func rotation(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var world = RotationWorld(now: Int64(seed) * 1_000_000)
    var (verified, putOff, refused) = (0, 0, 0)
    for _ in 0..<2000 {
      world.now += Int64(random.next() % 3000)
      world.step(&random)
      let isForged = random.next() % 3 == 0
      let outcome = world.signIn(isForged ? "forged\(random.next() % 8)" : world.newest)
      switch outcome {
      case .verified:
        #expect(!isForged)
        verified += 1
      case .refused:
        #expect(isForged, "a right token was refused, seed \(seed)")
        refused += 1
      case .putOff: putOff += 1
      }
    }
    #expect(verified > 500 && refused > 5, "\(verified) \(putOff) \(refused)")
    #expect(world.fetches <= 2000 * 3000 / 60_000 + 1)
  }
}

private struct RotationWorld {
  enum Outcome { case verified, refused, putOff }

  var now: Int64
  var cache = KeyCache(url: "https://keys.example", format: .document([.es256]))
  /// What the provider publishes: the key that signs now, and the one before.
  var published = ["k0"]
  var count = 0
  var fetches = 0
  var isReachable = true
  var newest: String { published.last ?? "" }

  mutating func step(_ random: inout SplitMix) {
    if random.next() % 150 == 0 {
      count += 1
      published = [newest, "k\(count)"]
    }
    isReachable = random.next() % 10 != 0
  }

  mutating func signIn(_ keyID: String) -> Outcome {
    let arrival = now
    for _ in 0..<3 {
      switch cache.advice(for: keyID, arrival: arrival, now: now) {
      case .verify(_, let refresh):
        if let refresh { fetch(refresh) }
        return .verified
      case .fetch(let order): fetch(order)
      case .refuse: return .refused
      case .wait, .unavailable: return .putOff
      }
    }
    return .putOff
  }

  private mutating func fetch(_ order: FetchOrder) {
    fetches += 1
    guard isReachable else { return cache.fetchFailed(order) }
    let keys = Dictionary(uniqueKeysWithValues: published.map { ($0, Keys.p256) })
    try? cache.fetched(
      order, document: bytes(TokenWorld.published(keys)), cacheControl: "max-age=600", now: now)
  }
}

/// A seeded source of numbers.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
