import Domain
import GatewayCore
import Testing

@Suite struct BudgetTests {
  @Test("2.10 connections of one host share its budget, whatever their ports")
  func portsDoNotCount() {
    var budgets = KeyedBudgets<Substring>(
      TokenBucket.Rate(burst: 2.0, refillMilliseconds: 30_000))
    func take(_ address: String) -> UInt32? { budgets.take(PeerHost.of(address), now: 0) }
    #expect(take("10.0.0.1:50001") == nil)
    #expect(take("10.0.0.1:50002") == nil)
    #expect(take("10.0.0.1:50003") == 30_000)
    #expect(take("10.0.0.2:50001") == nil)
    #expect(take("[2001:db8::1]:1") == nil)
    #expect(take("[2001:db8::1]:2") == nil)
    #expect(take("[2001:db8::1]:3") != nil)
    #expect(take("[2001:db8::2]:3") == nil)
  }

  @Test("2.10 keys beyond the bound wait until others have refilled")
  func bounded() {
    var budgets = KeyedBudgets<Int>(
      TokenBucket.Rate(burst: 1.0, refillMilliseconds: 1_000), countMax: 2)
    #expect(budgets.take(1, now: 0) == nil && budgets.take(2, now: 0) == nil)
    #expect(budgets.take(3, now: 0) == 1_000)
    #expect(budgets.take(3, now: 1_000) == nil)
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
      #expect(wait == hashed.take(key, now: now), "seed \(seed)")
    }
  }

  @Test("a host has only so many connections at once")
  func hostConnections() {
    var hosts = HostConnections(countMax: 2)
    #expect(hosts.open("h:1") && hosts.open("h:2") && !hosts.open("h:3") && hosts.open("i:1"))
    hosts.close("h:1")
    #expect(hosts.open("h:3") && !hosts.open("h:4"))
  }
}
