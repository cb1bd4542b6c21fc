import Domain
import GatewayCore
import Testing

@Suite struct BudgetTests {
  @Test("2.10 keys beyond the bound wait until others have refilled")
  func bounded() {
    var budgets = KeyedBudgets<Int>(
      TokenBucket.Rate(burst: 1.0, refillMilliseconds: 1_000), countMax: 2)
    var places = [0, 0, 0]
    func take(_ key: Int, now: UInt64) -> UInt32? { budgets.take(key, now: now, at: &places[key]) }
    #expect(take(0, now: 0) == nil && take(1, now: 0) == nil)
    #expect(take(2, now: 0) == 1_000)
    #expect(take(2, now: 1_000) == nil)
  }

  @Test("2.10 a flood of keys has the budgets looked through once a second")
  func sweeps() {
    var budgets = KeyedBudgets<Int>(
      TokenBucket.Rate(burst: 1.0, refillMilliseconds: 400), countMax: 2)
    var places = [0, 0, 0]
    func take(_ key: Int, now: UInt64) -> UInt32? { budgets.take(key, now: now, at: &places[key]) }
    #expect(take(0, now: 0) == nil && take(1, now: 0) == nil)
    #expect(take(2, now: 100) == 1_000)
    // They are full again, and nobody has looked yet.
    #expect(take(2, now: 1_099) == 1_000)
    #expect(take(2, now: 1_100) == nil)
  }

  @Test("2.10 a budget is found where it was, and by its key when it has moved", arguments: 1...20)
  func places(seed: UInt64) {
    var random = RandomSource.seeded(seed)
    let rate = TokenBucket.Rate(burst: 3.0, refillMilliseconds: 10)
    var (found, hashed) = (
      KeyedBudgets<Int>(rate, countMax: 4), KeyedBudgets<Int>(rate, countMax: 4)
    )
    var places = [Int](repeating: 0, count: 8)
    var now: UInt64 = 0
    for _ in 1...500 {
      let key = Int.random(in: 0..<8, using: &random)
      now += .random(in: 0...12, using: &random)
      let wait = found.take(key, now: now, at: &places[key])
      var nowhere = -1
      let other = hashed.take(key, now: now, at: &nowhere)
      #expect(wait == other, "seed \(seed)")
    }
  }
}
