import Domain

/// Keeps the list of erased players and the store together.
struct ErasureKeeper {
  private let list: ErasedList
  private let log: Log

  init(_ list: ErasedList, log: Log) {
    self.list = list
    self.log = log
  }

  /// Erases again who is on the list and not in the store, which was put back from a backup then;
  /// and lists from now on whom the engine erases.
  func keep(_ engine: Engine, of node: ServiceNode) throws {
    let listed = try list.read()
    let known = engine.erasures
    let players = Set(listed.map(\.player))
    for erasure in known where !players.contains(erasure.player) { try list.append(erasure) }
    let stored = Set(known.map(\.player))
    let missing = listed.filter { !stored.contains($0.player) }
    if !missing.isEmpty {
      log.warning("erasing again whom the store has", ["players": "\(missing.count)"])
    }
    for erasure in missing {
      guard let request = engine.erasure(again: erasure) else { continue }
      node.apply(request) { _ in }
    }
    engine.willErase = { [self] erasure in isListed(erasure) }
  }

  private func isListed(_ erasure: Erasure) -> Bool {
    do {
      try list.append(erasure)
      return true
    } catch {
      log.error("list of erased players", ["reason": "\(error)"])
      return false
    }
  }
}
