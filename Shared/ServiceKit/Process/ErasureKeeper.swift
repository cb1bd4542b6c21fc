import Domain

/// Keeps the list of erased players and the store together.
struct ErasureKeeper: Sendable {
  private let list: ErasedList
  private let log: Log

  init(_ list: ErasedList, log: Log) {
    self.list = list
    self.log = log
  }

  /// Tells the engine who was erased, before its rows come, and lists from now on whom it erases.
  func begin(_ engine: Engine) throws {
    engine.haveErased(try list.read())
    engine.willErase = { [self] erasure in isListed(erasure) }
  }

  /// Erases again who is on the list and in the store too, which was put back from a backup then.
  func eraseMissing(from engine: Engine, by node: ServiceNode) {
    let missing = engine.missingErasures
    if missing.isEmpty { return }
    log.warning("erasing again whom the store has", ["players": "\(missing.count)"])
    for request in missing { node.apply(request) { _ in } }
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
