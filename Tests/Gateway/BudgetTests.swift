import GatewayCore
import Testing

@Suite struct BudgetTests {
  @Test("2.10 connections of one host share its budget, whatever their ports")
  func portsDoNotCount() {
    var budgets = AddressBudgets(perMinute: 2)
    #expect(budgets.take("10.0.0.1:50001", now: 0) == nil)
    #expect(budgets.take("10.0.0.1:50002", now: 0) == nil)
    #expect(budgets.take("10.0.0.1:50003", now: 0) == 30_000)
    #expect(budgets.take("10.0.0.2:50001", now: 0) == nil)
    #expect(budgets.take("[2001:db8::1]:1", now: 0) == nil)
    #expect(budgets.take("[2001:db8::1]:2", now: 0) == nil)
    #expect(budgets.take("[2001:db8::1]:3", now: 0) != nil)
    #expect(budgets.take("[2001:db8::2]:3", now: 0) == nil)
  }

  @Test("a budget refills at its rate, up to its burst")
  func refills() {
    var bucket = TokenBucket(perSecond: 1, burst: 2, now: 0)
    #expect(bucket.take(now: 0) == nil && bucket.take(now: 0) == nil)
    #expect(bucket.take(now: 500) == 500)
    #expect(bucket.take(now: 1_000) == nil)
    #expect(!bucket.isFull(now: 2_000) && bucket.isFull(now: 3_000))
    #expect(bucket.take(now: 60_000) == nil && bucket.take(now: 60_000) == nil)
    #expect(bucket.take(now: 60_000) == 1_000)
  }
}
