import Identity
import Testing

@Suite("Speed", .serialized)
struct SpeedTests {
  /// The whole warm path: taking the token apart, finding the key, signature and claims. It is
  /// printed always, and judged where code is optimized.
  @Test(
    "Half of the right tokens take 200 microseconds at most, and none a fetch",
    arguments: [TokenWorld.apple(), TokenWorld.google(), TokenWorld.custom()])
  func warmPath(_ world: TokenWorld) throws {
    let text = bytes(world.token())
    var cache = try world.cache()
    let clock = ContinuousClock()
    var times: [Duration] = []
    var subjects = 0
    for _ in 0..<1000 {
      let begin = clock.now
      let token = try CompactToken(text)
      guard
        case .verify(let key, nil) = cache.advice(
          for: token.keyID, arrival: world.now, now: world.now)
      else { throw TestFault.noDecision }
      let identity = try world.provider.verify(
        token, with: key, nonce: world.nonce, now: world.now)
      times.append(clock.now - begin)
      subjects += identity.subject.utf8.count
    }
    times.sort()
    let (median, late) = (times[500], times[990])
    print("\(world.provider.name) \(world.algorithm): p50 \(median), p99 \(late)")
    #expect(subjects == 18_000)
    #if !DEBUG
      #expect(median <= .microseconds(200))
    #endif
  }
}
