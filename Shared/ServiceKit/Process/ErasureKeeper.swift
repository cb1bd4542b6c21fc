import Domain
import Locking
import Transport
import Wire

/// Keeps the list of erased players and the store together.
struct ErasureKeeper: Sendable {
  private let list: ErasedList
  private let log: Log
  /// Until when the list is not tried again, since it could not be written.
  private let restsUntil = Locked<ContinuousClock.Instant?>(nil)
  /// An erasure comes as an effect for each slot, each of which is tried again soon.
  private static let rest: Duration = .seconds(1)

  init(_ list: ErasedList, log: Log) {
    self.list = list
    self.log = log[.erasures]
  }

  /// Tells the engine who was erased, before its rows come, and lists from now on whom it erases.
  func begin(_ engine: Engine) throws {
    engine.haveErased(try Self.keeping { try list.load() })
    engine.willErase = { [self] erasure in isListed(erasure) }
    engine.cannotErase = { [log] table, failure in
      log.error(
        "rows cannot forget an erased player", ["table": table, "reason": failure.text])
    }
  }

  static func keeping<Value>(_ body: () throws -> Value) throws(ProcessShell.Fatal) -> Value {
    do {
      return try body()
    } catch {
      throw ProcessShell.Fatal(.unavailable, "--erased-list cannot be kept: \(error)")
    }
  }

  /// Erases again who is on the list and in the store too, which was put back from a backup then.
  func eraseMissing(from engine: Engine, by node: ServiceNode) {
    // Whom the store erases from now on is on the list first, so that there will not be more.
    let unlisted = engine.unlistedErasureCount
    node.metrics.gauge(.unlistedErasures).set(unlisted)
    if unlisted > 0 {
      log.error(
        "the list of erased players lacks some whom the store has erased",
        ["players": "\(unlisted)"])
    }
    let missing = engine.missingErasures
    if missing.isEmpty { return }
    log.warning("erasing again whom the store has", ["players": "\(missing.count)"])
    erase(missing[...], by: node)
  }

  /// One after the other: each fills a good part of a batch, and what has no room is tried again.
  private func erase(_ missing: ArraySlice<Request>, by node: ServiceNode) {
    guard let first = missing.first else { return }
    node.apply(first) { [self] answer in
      if case .failure(let failure) = answer {
        log.warning("a player is not erased again yet", ["reason": failure.text])
        _ = node.loop.after(1_000) { erase(missing, by: node) }
      } else {
        erase(missing.dropFirst(), by: node)
      }
    }
  }

  private func isListed(_ erasure: Erasure) -> Bool {
    restsUntil.withLock { end in
      if let end, ContinuousClock.now < end { return false }
      do {
        try list.append(erasure)
        if end != nil { log.info("the list of erased players can be written again") }
        end = nil
        return true
      } catch {
        if end == nil {
          log.error("the list of erased players cannot be written", ["reason": "\(error)"])
        }
        end = .now + Self.rest
        return false
      }
    }
  }
}
