import Domain
import Testing

@Suite struct TokenBucketTests {
  @Test("a budget refills at its rate, up to its burst")
  func refills() {
    let rate = TokenBucket.Rate(burst: 2.0, refillMilliseconds: 1_000)
    var bucket = TokenBucket()
    #expect(bucket.isFull(now: 0))
    #expect(bucket.take(at: rate, now: 0) == nil && bucket.take(at: rate, now: 0) == nil)
    #expect(bucket.take(at: rate, now: 500) == 500)
    #expect(bucket.take(at: rate, now: 1_000) == nil)
    #expect(!bucket.isFull(now: 2_999) && bucket.isFull(now: 3_000))
    #expect(bucket.take(at: rate, now: 60_000) == nil && bucket.take(at: rate, now: 60_000) == nil)
    #expect(bucket.take(at: rate, now: 60_000) == 1_000)
  }

  @Test("several pieces are taken together or not at all, at a time since 1970")
  func several() {
    let rate = TokenBucket.Rate(burst: Int64(10), refillMilliseconds: 60_000)
    let now: Int64 = 1_700_000_000_000
    var bucket = TokenBucket()
    #expect(bucket.take(8, at: rate, now: now) == nil)
    let before = bucket
    #expect(bucket.take(3, at: rate, now: now) == 60_000 && bucket == before)
    #expect(bucket.take(2, at: rate, now: now) == nil)
    #expect(bucket.take(11, at: rate, now: now + 3_600_000) == 60_000, "more than it ever holds")
  }

  @Test("what is charged may be owed, up to a bound, and is paid before anything else is taken")
  func charges() {
    let rate = TokenBucket.Rate(burst: 2.0, refillMilliseconds: 100)
    var bucket = TokenBucket()
    #expect(bucket.charge(2, at: rate, now: 0, debtMax: 5) == nil)
    #expect(bucket.charge(3, at: rate, now: 0, debtMax: 5) == 300)
    #expect(bucket.charge(1, at: rate, now: 100, debtMax: 5) == 300)
    #expect(bucket.charge(50, at: rate, now: 100, debtMax: 5) == 500)
    #expect(bucket.take(at: rate, now: 599, debtMax: 5) == 101)
    #expect(bucket.charge(0, at: rate, now: 600, debtMax: 5) == nil)
    #expect(bucket.take(at: rate, now: 700, debtMax: 5) == nil)
  }

  @Test("a fast budget gives what it says, though a piece refills in less than a millisecond")
  func fast() {
    let rate = TokenBucket.Rate(perSecond: 3_000)
    var bucket = TokenBucket()
    var taken = 0
    for now in Int64(1)...10_000 {
      while bucket.take(at: rate, now: now) == nil { taken += 1 }
      #expect(bucket.take(at: rate, now: now) == 1)
    }
    // 6,000 at once, and three each millisecond after that; the last may still be on its way.
    #expect((35_996...35_997).contains(taken), "\(taken)")
  }

  @Test("a clock that goes back, or a burst made smaller, costs a whole budget at most")
  func backwards() {
    let rate = TokenBucket.Rate(burst: 1.0, refillMilliseconds: 1_000)
    var bucket = TokenBucket()
    #expect(bucket.take(at: rate, now: 5_000) == nil)
    #expect(bucket.take(at: rate, now: 4_990) == 1_000)
    #expect(bucket.take(at: rate, now: 6_000) == nil)
  }
}
