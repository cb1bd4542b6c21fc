import Identity
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Speed", .serialized)
struct SpeedTests {
  /// The whole warm path: taking the token apart, finding the key, signature and claims. It is
  /// printed always, and judged where code is optimized: by processor time, since other tests run
  /// beside it.
  @Test(
    "Half of the right tokens take 200 microseconds at most, and none a fetch",
    arguments: [TokenWorld.apple(), TokenWorld.google(), TokenWorld.custom()])
  func warmPath(_ world: TokenWorld) throws {
    let text = bytes(world.token())
    var cache = try world.cache()
    var times: [Duration] = []
    var subjects = 0
    for _ in 0..<1000 {
      let begin = processorTime()
      let token = try CompactToken(text)
      guard
        case .verify(let key, nil) = cache.advice(
          for: token.keyID, arrival: world.now, now: world.now)
      else { throw TestFault.noDecision }
      let identity = try world.provider.verify(
        token, with: key, nonce: world.nonce, now: world.now)
      times.append(processorTime() - begin)
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

  /// What this thread has had so far.
  private func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
