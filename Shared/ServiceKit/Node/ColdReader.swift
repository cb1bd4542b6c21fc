import Domain
import Storage
import Transport
import Wire

/// Fetches cold rows off the loop. While a command of a slot waits for its rows, later commands of
/// the same slot wait behind it, so that each key sees its commands in the order they came.
final class ColdReader {
  /// Commands that may wait behind one that reads; the disk is too slow for more.
  static let waitingMax = 1024

  private let loop: Loop
  private let store: any Store
  private var waiting: [Int: Queue<() -> Void>] = [:]

  init(loop: Loop, store: any Store) {
    self.loop = loop
    self.store = store
  }

  func isBusy(_ slot: Int) -> Bool { waiting[slot] != nil }
  func isFull(_ slot: Int) -> Bool { (waiting[slot]?.count ?? 0) >= Self.waitingMax }

  /// Runs `command` when those before it on the slot are done.
  func enqueue(slot: Int, _ command: @escaping () -> Void) {
    waiting[slot, default: Queue()].append(command)
  }

  /// Lets later commands of the slot wait from now on, until `finish`.
  func hold(slot: Int) {
    if waiting[slot] == nil { waiting[slot] = Queue() }
  }

  /// Reads the ranges on the pool, then calls `resume`.
  func read(
    _ ranges: [ColdRange], slot: Int,
    resume: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    let store = store
    loop.work {
      var rows: [ColdRange: [[UInt8]]] = [:]
      do throws(StoreError) {
        for range in ranges { rows[range] = try store.read(range) }
        return Result<[ColdRange: [[UInt8]]], StoreError>.success(rows)
      } catch {
        return .failure(error)
      }
    } then: { result in
      resume(result)
    }
  }

  /// The command that read is finished: those behind it run, until one of them reads again.
  func finish(slot: Int) {
    guard var queue = waiting.removeValue(forKey: slot) else { return }
    while !queue.isEmpty {
      let command = queue.removeFirst()
      command()
      // The command reads: the rest goes on waiting, in order, before what it may have let in.
      if waiting[slot] != nil {
        while !queue.isEmpty { waiting[slot, default: Queue()].append(queue.removeFirst()) }
        return
      }
    }
  }
}
