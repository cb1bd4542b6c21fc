import Domain

/// Keeps commands in order around cold reads: while a command of a slot waits for its rows, later
/// commands of the same slot wait behind it.
final class ColdReader {
  /// Commands that may wait behind one that reads; the disk is too slow for more.
  static let waitingMax = 1024

  private var waiting: [Int: Queue<() -> Void>] = [:]

  func isBusy(_ slot: Int) -> Bool { waiting[slot] != nil }
  func isFull(_ slot: Int) -> Bool { (waiting[slot]?.count ?? 0) >= Self.waitingMax }

  /// Notes that a command of the slot reads, so that those that come from now on wait.
  func begin(slot: Int) {
    if waiting[slot] == nil { waiting[slot] = Queue() }
  }

  /// Runs `command` when those before it on the slot are done.
  func enqueue(slot: Int, _ command: @escaping () -> Void) {
    waiting[slot, default: Queue()].append(command)
  }

  /// Notes that the command that read is finished, and runs those behind it until one of them reads
  /// again.
  func finish(slot: Int) {
    guard var queue = waiting.removeValue(forKey: slot) else {
      preconditionFailure("a read of slot \(slot) ends that was not begun")
    }
    while !queue.isEmpty {
      let command = queue.removeFirst()
      command()
      // The command reads: the rest goes on waiting, before commands that came meanwhile.
      if waiting[slot] != nil {
        while !queue.isEmpty { waiting[slot, default: Queue()].append(queue.removeFirst()) }
        return
      }
    }
  }
}
