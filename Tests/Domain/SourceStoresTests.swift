import Testing
import Wire

@testable import Domain

/// What is kept of the stores whose effects are applied is bounded, whoever names them.
@Suite struct SourceStoresTests {
  private func source(_ store: UInt64, of service: Service = .context, slot: UInt16 = 1)
    -> EffectSource
  {
    EffectSource(
      service: service, slot: slot, store: StoreID(high: 1, low: store), sequence: 1, after: 0)
  }

  @Test("a service has a bounded number of stores, and those that it had go on")
  func bounded() {
    var stores = SourceStores()
    for number in 1...UInt64(EffectLimits.sourceStoresMax) {
      #expect(stores.refusal(of: source(number)) == nil)
      stores.insert(InboxKey(source: source(number), slot: 0))
      stores.insert(InboxKey(source: source(number), slot: 1))
    }
    let next = UInt64(EffectLimits.sourceStoresMax) + 1
    #expect(stores.refusal(of: source(next))?.code.isTransient == true)
    #expect(stores.refusal(of: source(1)) == nil)
    #expect(stores.refusal(of: source(next, of: .leaderboard)) == nil)
  }

  @Test("no effect comes from a slot that there is not")
  func slots() {
    let stores = SourceStores()
    #expect(stores.refusal(of: source(1, slot: UInt16(Slot.count) - 1)) == nil)
    #expect(stores.refusal(of: source(1, slot: UInt16(Slot.count)))?.code == .malformed)
  }
}
