import Wire

/// Remembers which changing calls were answered, per client instance, between a client's floor and
/// its newest call, so that a repeated call gets the answer of the first.
///
/// The answers themselves stay in the store and are read when a call is repeated, which is rare. A
/// refusal is not remembered: it changed nothing, so running the call again is just as good.
///
/// Each row has the slot at which its call ran, so that a store can be split by slots. The window
/// is that of the whole process all the same, and after a split each part has of it what lies at
/// its own slots. The floor may then be lower in one part, but what it dropped there is gone, and
/// its client has promised never to repeat it.
struct ReplyWindows {
  /// Instances looked at whenever an answer is remembered: two, so that the looking keeps up with
  /// what is added.
  static let expiryStepMax = 2

  enum Verdict {
    case new
    /// The row with this key has the answer.
    case repeated(ReplyKey)
    case refused(Failure)
  }

  let bounds: AnswerBounds
  private var windows: [UInt64: ReplyWindow] = [:]
  /// Those of the owners that have answers.
  private var accounts: [AnswerOwner: AnswerAccount] = [:]
  private var expiryQueue = Queue<UInt64>()
  private(set) var rowCount = 0
  private(set) var byteCount = 0

  init(_ bounds: AnswerBounds = AnswerBounds()) { self.bounds = bounds }

  var instanceCount: Int { windows.count }

  mutating func load(_ row: ReplyRow) { _ = change(window(of: row)) { $0.take(row) } }

  // MARK: Calls

  /// - Parameter now: for how long instances have been silent.
  func verdict(_ call: KeyedCall, now: Int64) -> Verdict {
    let (counter, floor) = (call.key.counter, call.key.floor)
    guard floor <= counter else {
      return .refused(.invalid("floor", "The floor \(floor) is above the counter \(counter)."))
    }
    let window = windows[call.key.instance]
    guard counter >= window?.floor ?? 0 else {
      return .refused(
        Failure(.staleKey, "The answer to call \(counter) was already given and forgotten."))
    }
    let newest = window?.newest ?? 0
    guard counter <= newest || counter - newest <= WireLimits.counterJumpMax else {
      return .refused(.invalid("counter", "Call \(counter) is too far beyond call \(newest)."))
    }
    if let window, let answer = window.answer(counter) {
      guard answer.opcode == call.opcode.rawValue, answer.bodyHash == call.bodyHash,
        answer.slot == call.slot
      else {
        return .refused(
          Failure(.keyReused, "Call \(counter) was made before with other contents."))
      }
      return .repeated(window.key(answer))
    }
    return hasRoom(for: call, in: window, now: now)
      ? .new
      : .refused(
        Failure(.floorTooLow, "Too many answers wait to be acknowledged by a higher floor."))
  }

  /// What the call's own floor is about to drop does not count: a client that has just read a full
  /// window of answers must not be locked out. Nor does what other instances have to give up.
  private func hasRoom(for call: KeyedCall, in window: ReplyWindow?, now: Int64) -> Bool {
    let dropped = window?.dropped(by: call.key.floor) ?? (rows: 0, bytes: 0)
    if (window?.answers.count ?? 0) - dropped.rows >= bounds.perInstanceMax { return false }
    let owner = AnswerOwner(player: call.player, instance: call.key.instance)
    guard let account = window?.account ?? accounts[owner] else { return true }
    var (rows, bytes) = (account.rows - dropped.rows, account.bytes - dropped.bytes)
    if hasRoom(rows, bytes) { return true }
    for idle in idleWindows(account, except: call.key.instance, now: now) {
      rows -= idle.answers.count
      bytes -= idle.bytes
    }
    return hasRoom(rows, bytes)
  }

  private func hasRoom(_ rows: Int, _ bytes: Int) -> Bool {
    rows < bounds.perOwnerMax && bytes < bounds.bytesPerOwnerMax
  }

  private func idleWindows(_ account: AnswerAccount, except own: UInt64, now: Int64)
    -> [ReplyWindow]
  {
    account.instances.filter { $0 != own }.compactMap { windows[$0] }
      .filter { $0.lastTime + bounds.idleMilliseconds < now }
  }

  // MARK: Answers

  mutating func record(_ row: ReplyRow, _ changes: inout RowChanges) {
    changes.put(row)
    let window = window(of: row)
    for key in change(window, { $0.take(row) }) { changes.remove(ReplyRow.self, key) }
    makeRoom(beside: window, now: row.time, &changes)
    expire(now: row.time, &changes)
  }

  private mutating func window(of row: ReplyRow) -> ReplyWindow {
    let instance = row.key.instance
    if let window = windows[instance] { return window }
    let owner = AnswerOwner(player: row.player, instance: instance)
    let window = ReplyWindow(
      instance: instance, account: accounts[owner] ?? AnswerAccount(owner))
    windows[instance] = window
    accounts[owner] = window.account
    expiryQueue.append(instance)
    return window
  }

  /// Changes a window, and counts what that changes.
  private mutating func change(_ window: ReplyWindow, _ body: (ReplyWindow) -> [ReplyKey])
    -> [ReplyKey]
  {
    let (rows, bytes) = (window.answers.count, window.bytes)
    let keys = body(window)
    let (addedRows, addedBytes) = (window.answers.count - rows, window.bytes - bytes)
    rowCount += addedRows
    byteCount += addedBytes
    let account = window.account
    account.rows += addedRows
    account.bytes += addedBytes
    if rows == 0 && addedRows > 0 { account.instances.append(window.instance) }
    if rows > 0 && window.answers.isEmpty {
      account.instances.removeAll { $0 == window.instance }
      if account.instances.isEmpty { accounts[account.owner] = nil }
    }
    return keys
  }

  /// Forgets the other instances of a player that were silent for longest, if he has too many
  /// answers.
  private mutating func makeRoom(
    beside own: ReplyWindow, now: Int64, _ changes: inout RowChanges
  ) {
    if !isOver(own.account) { return }
    let idle = idleWindows(own.account, except: own.instance, now: now)
      .sorted { ($0.lastTime, $0.instance) < ($1.lastTime, $1.instance) }
    for window in idle where isOver(own.account) { forget(window, now: now, &changes) }
  }

  private func isOver(_ account: AnswerAccount) -> Bool {
    account.rows > bounds.perOwnerMax || account.bytes > bounds.bytesPerOwnerMax
  }

  // MARK: Ends

  /// The session of an instance is over: its answers go, and its calls are refused for a while.
  mutating func end(_ instance: UInt64, now: Int64, _ changes: inout RowChanges) {
    guard let window = windows[instance] else { return }
    for key in change(window, { $0.end(now: now) }) { changes.remove(ReplyRow.self, key) }
  }

  private mutating func forget(
    _ window: ReplyWindow, now: Int64, _ changes: inout RowChanges
  ) {
    windows[window.instance] = nil
    for key in change(window, { $0.end(now: now) }) { changes.remove(ReplyRow.self, key) }
  }

  /// Forgets a bounded number of instances that have long been silent, and a bounded number of
  /// rows.
  private mutating func expire(now: Int64, _ changes: inout RowChanges) {
    var removed = 0
    for _ in 0..<min(Self.expiryStepMax, expiryQueue.count) where removed < bounds.perInstanceMax {
      let instance = expiryQueue.removeFirst()
      guard let window = windows[instance] else { continue }
      let kept = window.hasEnded ? bounds.idleMilliseconds : bounds.keptMilliseconds
      guard window.lastTime + kept < now else {
        // Looked at again on a later round: the queue is in order of last look, not of last call.
        expiryQueue.append(instance)
        continue
      }
      removed += window.answers.count
      forget(window, now: now, &changes)
    }
  }
}

extension Failure {
  fileprivate static func invalid(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }
}
