import Domain
import ServiceKit
import Wire

/// The list of the erased that a process keeps beside its disk, as `ErasureKeeper` does.
struct ErasedListOfProcess {
  private(set) var all: [Erasure] = []

  /// Tells an engine who was erased, before its rows come.
  func tell(_ engine: Engine) { engine.haveErased(all) }

  mutating func append(_ erasure: Erasure) { all.append(erasure) }

  mutating func lose() { all = [] }
}

extension SimulatedProcess {
  /// Lists somebody who is about to be erased. Now and then the list cannot be written, or the
  /// process dies when it was, and its store does not know of it yet.
  func willErase(_ erasure: Erasure) -> Bool {
    let isTroubled = deployment.network.isTroubled
    if isTroubled && deployment.schedule.isChance(oneIn: 6) {
      deployment.count(.erasuresNotListed)
      return false
    }
    erased.append(erasure)
    deployment.ledger.listed(erasure)
    if isTroubled && deployment.schedule.isChance(oneIn: 3) {
      let life = life
      deployment.schedule.after(0) { [self] in
        if isUp && self.life == life { deployment.crash(address) }
      }
    }
    return true
  }
}

extension ProcessLife {
  /// Erases those who are on the list, and in the store again or still.
  func eraseMissing() {
    let missing = engine.missingErasures
    if !missing.isEmpty { deployment.count(.erasuresAmidCrash) }
    erase(missing[...])
  }

  private func erase(_ missing: ArraySlice<Request>) {
    guard let first = missing.first else { return }
    runner.submit(first) { [weak self] answer in
      guard case .failure = answer else { self?.erase(missing.dropFirst()); return }
      self?.after(1_000) { [weak self] in self?.erase(missing) }
    }
  }

  // MARK: Cleaning

  /// As a `ServiceNode` does.
  func cleanFiles(through number: UInt64) {
    let erasures = engine.beginCleaning()
    if !erasures.isEmpty { cleanings.append((number, erasures)) }
  }

  /// What the batches through this one have replaced is in the files no more.
  func clean(through number: UInt64) {
    if cleanings.isEmpty || deployment.options.canary == .endlessCleaning { return }
    after(UInt64(deployment.schedule.wait())) { [unowned self] in
      let done = cleanings.filter { $0.through <= number }
      cleanings.removeAll { $0.through <= number }
      runner.erasuresAreCleaned(done.flatMap(\.erasures))
    }
  }
}
