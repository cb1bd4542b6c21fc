import Wire

/// The stores whose effects were applied, by service: what is kept of each is never removed, since
/// an effect may come again after any time. So a service has a bounded number of them.
struct SourceStores {
  private var stores: [UInt8: Set<StoreID>] = [:]

  mutating func insert(_ key: InboxKey) { stores[key.service, default: []].insert(key.store) }

  /// Why an effect is not applied; nil for one that may be. The refusal of a store is a passing
  /// one, so that its effects are kept where they are.
  func refusal(of source: EffectSource) -> Failure? {
    if source.slot >= Slot.count {
      return Failure(.malformed, "An effect comes from slot \(source.slot), which no service has.")
    }
    guard let known = stores[source.service], known.count >= EffectLimits.sourceStoresMax,
      !known.contains(source.store)
    else { return nil }
    let name = Service(rawValue: source.service).map(\.name) ?? "\(source.service)"
    return Failure(
      .unavailable,
      "The \(name) service has delivered effects of \(known.count) stores, and no more are taken.")
  }
}
