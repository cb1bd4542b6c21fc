import Domain
import GatewayCore
import Testing
import Wire

@Suite struct HostBudgetTests {
  private func budgets(
    _ settings: [NumberSetting: Int] = [:], hostsMax: Int = 100
  ) -> HostBudgets {
    HostBudgets(SettingValues(HostBudgets.settings, settings), hostsMax: hostsMax)
  }

  private func host(_ number: UInt32) -> PeerHost { PeerHost(ipv4: number) }

  @Test("2.10 a host has only so many connections at once")
  func connections() {
    var budgets = budgets([.connectionsPerHost: 2])
    #expect(budgets.enter(host(1), now: 0) == nil && budgets.enter(host(1), now: 0) == nil)
    #expect(budgets.enter(host(1), now: 0) == "2 connections of this host are open")
    #expect(budgets.enter(host(2), now: 0) == nil)
    budgets.leave(host(1))
    #expect(budgets.enter(host(1), now: 0) == nil && budgets.enter(host(1), now: 0) != nil)
  }

  @Test("2.10 a host makes only so many connections in a minute, also one after the other")
  func connectionRate() {
    for (limit, burst) in [(1000, 1000), (2, 60)] {
      var budgets = budgets([.connectionsPerHost: limit])
      func connect(_ now: UInt64) -> Bool {
        defer { budgets.leave(host(1)) }
        return budgets.enter(host(1), now: now) == nil
      }
      var made = 0
      while connect(0) && made < 2_000 { made += 1 }
      #expect(made == burst, "limit \(limit)")
      var late = budgets
      #expect(late.enter(host(1), now: 0) == "this host connects too often")
      let refill = UInt64(60_000 / burst)
      #expect(late.enter(host(1), now: refill - 1) != nil)
      #expect(late.enter(host(1), now: refill) == nil)
      #expect(late.enter(host(2), now: 0) == nil)
    }
  }

  @Test("2.10 sign-ins and sign-ups of a host are counted by themselves")
  func signIns() {
    var budgets = budgets([.signInsPerMinute: 2, .signUpsPerHour: 1])
    #expect(budgets.takeSignIn(host(1), now: 0) == nil)
    #expect(budgets.takeSignIn(host(1), now: 0) == nil)
    #expect(budgets.takeSignIn(host(1), now: 0) == 30_000)
    #expect(budgets.takeSignUp(host(1), now: 0) == nil)
    #expect(budgets.takeSignUp(host(1), now: 0) == 3_600_000)
    #expect(budgets.takeSignIn(host(2), now: 0) == nil)
    #expect(budgets.takeSignIn(host(1), now: 30_000) == nil)
  }

  @Test("2.10 strangers of a host are read until they have sent much, and then slowly")
  func strangers() {
    var budgets = budgets()
    func charge(_ byteCount: Int, _ now: UInt64) -> UInt32? {
      budgets.chargeStranger(host(1), byteCount: byteCount, now: now)
    }
    for _ in 1...64 { #expect(charge(64 << 10, 0) == nil) }
    #expect(charge(32 << 10, 0) == 500)
    // However many connections it has, none is held back for longer than two seconds.
    #expect(charge(64 << 20, 0) == 2_000)
    #expect(charge(0, 2_000) == nil && charge(64 << 10, 2_000) == 1_000)
    #expect(budgets.chargeStranger(host(2), byteCount: 1, now: 2_000) == nil)
  }

  @Test("2.10 as many hosts are remembered as there is room for, those with connections first")
  func bounded() {
    var budgets = budgets([.connectionsPerHost: 60], hostsMax: 2)
    #expect(budgets.enter(host(1), now: 0) == nil && budgets.enter(host(2), now: 0) == nil)
    #expect(budgets.enter(host(3), now: 0) == "too many hosts are connected")
    #expect(budgets.takeSignIn(host(3), now: 0) == 1_000)
    budgets.leave(host(2))
    // Its budget is full again after a second, and it is looked at once a second.
    #expect(budgets.enter(host(3), now: 999) != nil)
    #expect(budgets.enter(host(3), now: 1_000) == nil)
    #expect(budgets.enter(host(1), now: 1_000) == nil)
    #expect(budgets.enter(host(2), now: 2_000) != nil)
  }
}
