import Domain
import Operations
import RequestCore
import ServiceKit
import Storage
import Transport
import Wire

/// Reads the rows that are due, in pages, and removes on the way those of events that their players
/// have acknowledged. With connected players these are nearly all: one by one, like what is sent,
/// they would hold up what waits behind them.
final class PushRows {
  /// What could not be read or written is tried again after so long.
  static let againMilliseconds: UInt64 = 1_000
  /// Rows of one read, and acknowledged ones that go in one batch.
  static let readMax = 128

  private let node: ServiceNode
  private let core: RequestCore
  private let words: PushWords
  private(set) var isStopped = false

  init(_ node: ServiceNode, _ core: RequestCore, _ words: PushWords) {
    (self.node, self.core, self.words) = (node, core, words)
  }

  func stop() { isStopped = true }

  /// Runs `body` after a while, unless the process is about to end.
  func again(_ event: String, _ reason: String, _ body: @escaping () -> Void) {
    words.warn(event, reason)
    _ = node.loop.after(Self.againMilliseconds) { [self] in if !isStopped { body() } }
  }

  /// - Parameters:
  ///   - isHeld: whether an event is being sent or written: it is left alone.
  ///   - done: gets the rows that are due by `time`, the first one first, at most `count`, and when
  ///     the next one is; not from inside this call.
  func page(
    through time: Int64, _ count: Int, isHeld: @escaping (EventID) -> Bool,
    done: @escaping ([PushQueueRow], _ next: Int64?) -> Void
  ) {
    let range = ColdRange(
      table: PushQueueRow.tableID, from: PushQueueKey().keyBytes,
      through: PushQueueKey(due: .max, event: EventID(high: .max, low: .max)).keyBytes,
      limit: Self.readMax)
    node.rows(PushQueueRow.self, in: range) { [self] result in
      let retry = { [self] in page(through: time, count, isHeld: isHeld, done: done) }
      switch result {
      case .failure(let error): again("push rows were not read", "\(error)", retry)
      case .success(let rows):
        let isDone = { [core] (row: PushQueueRow) in
          row.key.due <= time && !core.isUnread(row) && !isHeld(row.key.event)
        }
        let (read, left) = (rows.filter(isDone), rows.filter { !isDone($0) })
        remove(read) { [self] failure in
          if let failure { return again("push rows were not written", failure.text, retry) }
          // A whole read of acknowledged ones says nothing of what is behind them.
          if left.isEmpty && rows.count == Self.readMax { return retry() }
          let page = left.prefix { $0.key.due <= time }.prefix(count)
          let behind = rows.count == Self.readMax ? rows.last?.key.due : nil
          done(Array(page), left.dropFirst(page.count).first?.key.due ?? behind)
        }
      }
    }
  }

  /// Removes rows, side by side; `done` runs once, with a failure if there was one.
  private func remove(_ rows: [PushQueueRow], done: @escaping (Failure?) -> Void) {
    var (left, failure) = (rows.count, Failure?.none)
    if rows.isEmpty { return done(nil) }
    for row in rows {
      node.apply(EndPush(row, nextDue: 0, attempts: 0), at: row.player, trace: row.trace) {
        [words] result in
        switch result {
        case .success: words.withdrawn()
        case .failure(let refusal): failure = refusal
        }
        left -= 1
        if left == 0 { done(failure) }
      }
    }
  }
}
