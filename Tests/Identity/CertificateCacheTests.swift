import Identity
import Testing

@Suite("Certificate cache")
struct CertificateCacheTests {
  private let world: GameCenterWorld
  private var cache: CertificateCache
  private var now: Int64

  init() throws {
    world = try GameCenterWorld()
    cache = CertificateCache(trust: world.trust, provider: world.provider)
    now = world.now
  }

  private func address(_ name: String) -> String {
    "https://static.gc.apple.com/public-key/\(name).cer"
  }

  private mutating func ask(_ name: String) -> KeyAdvice {
    cache.advice(for: address(name), arrival: now, now: now)
  }

  /// Asks about an address of which no certificate comes. Returns whether it was fetched.
  private mutating func fails(_ name: String) -> Bool {
    switch ask(name) {
    case .fetch(let order):
      cache.fetchFailed(order)
      return true
    case .unavailable(let until): #expect(until > now && until <= now + 60_000)
    default: Issue.record("an invented address was taken")
    }
    return false
  }

  /// Asks about an address that brings the right certificate. Returns whether it was fetched.
  private mutating func succeeds(_ name: String) throws -> Bool {
    guard case .fetch(let order) = ask(name) else { return false }
    try cache.fetched(order, certificate: world.certificate, freshSeconds: 600, now: now)
    return true
  }

  @Test("A certificate is fresh within the bounds that the operator has set")
  mutating func bounds() throws {
    cache = CertificateCache(
      trust: world.trust, provider: world.provider, freshMilliseconds: 60_000...120_000)
    #expect(try succeeds("a"))
    now += 119_000
    #expect(isHeld("a"))
    now += 1_001
    #expect(!isHeld("a"), "the answer says 600 s")
  }

  private mutating func isHeld(_ name: String) -> Bool {
    if case .verify = ask(name) { true } else { false }
  }

  @Test("Invented addresses cost ten fetches a minute, and push out no right certificate")
  mutating func invented() throws {
    // Of a name that the provider does not know yet.
    #expect(try succeeds("gc-prod-99"))
    var fetches = 0
    for second in Int64(0)..<599 {
      now = world.now + second * 1000
      if fails("invented-\(second)") { fetches += 1 }
    }
    #expect(fetches == 99)
    #expect(isHeld("gc-prod-99"))
  }

  @Test("Sixteen invented addresses that come again and again cost no more")
  mutating func repeated() throws {
    var fetches = 0
    for second in Int64(0)..<600 {
      now = world.now + second * 1000
      for number in 0..<16 where fails("invented-\(number)") { fetches += 1 }
    }
    #expect(fetches == 100)
  }

  @Test("Invented addresses keep nobody from signing in with the provider's own certificates")
  mutating func own() throws {
    for number in 0..<100 { _ = fails("invented-\(number)") }
    #expect(!fails("gc-prod-99"))
    #expect(try succeeds("gc-prod-10"))
    // They are not pushed out either, and a fetch that has failed is made again.
    #expect(fails("gc-prod-9"))
    now += 10_000
    for number in 0..<100 { _ = fails("invented-\(number)") }
    #expect(isHeld("gc-prod-10"))
    #expect(try succeeds("gc-prod-9"))
  }

  @Test("A certificate that was right once is fetched again, whatever addresses are invented")
  mutating func proven() throws {
    #expect(try succeeds("gc-prod-99"))
    for day in Int64(1)...3 {
      now = world.now + day * 25 * 3_600_000
      for number in 0..<100 { _ = fails("invented-\(number)") }
      if day == 2 {
        #expect(fails("gc-prod-99"))
      } else {
        #expect(try succeeds("gc-prod-99"))
      }
    }
  }

  @Test("A fetch whose address was pushed out meanwhile changes nothing")
  mutating func pushedOut() throws {
    guard case .fetch(let order) = ask("invented") else { throw TestFault.noFetch }
    for minute in Int64(1)...3 {
      now = world.now + minute * 60_000
      for number in 0..<10 { _ = fails("invented-\(minute)-\(number)") }
    }
    try cache.fetched(order, certificate: world.certificate, freshSeconds: 600, now: now)
    #expect(!isHeld("invented"))
  }
}
