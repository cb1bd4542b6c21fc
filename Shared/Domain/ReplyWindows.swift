import Wire

/// Remembers which changing calls were answered, per client instance, between a client's floor and
/// its newest call, so that a repeated call gets the answer of the first.
///
/// The answers themselves stay in the store and are read when a call is repeated, which is rare. A
/// refusal is not remembered: it changed nothing, so running the call again is just as good.
///
/// Every bound is per player, and no instance is refused for what others of its player have left:
/// their answers are forgotten. What is left of them is a floor, and calls below it do not run.
///
/// Each row has the slot at which its call ran, so that a store can be split by slots. The window
/// is that of the whole process all the same, and after a split each part has of it what lies at
/// its own slots. The floor may then be lower in one part, but what it dropped there is gone, and
/// its client has promised never to repeat it. A floor that the server has raised has no such
/// promise: whoever splits a store gives it to each part.
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
  /// Those of the owners of `windows`.
  private var accounts: [AnswerOwner: AnswerAccount] = [:]
  private var expiryQueue = Queue<UInt64>()
  private(set) var rowCount = 0
  private(set) var byteCount = 0

  init(_ bounds: AnswerBounds = AnswerBounds()) { self.bounds = bounds }

  var instanceCount: Int { windows.count }

  mutating func load(_ row: ReplyRow) {
    _ = change(window(row.key.instance, of: row.player)) { $0.take(row) }
  }

  mutating func load(_ row: FloorRow) {
    let window = window(row.key, of: row.player)
    window.take(row)
    window.account.floors.append(row.key)
  }

  // MARK: Calls

  func verdict(_ call: KeyedCall) -> Verdict {
    let (counter, floor) = (call.key.counter, call.key.floor)
    guard floor <= counter else {
      return .refused(.invalid("floor", "The floor \(floor) is above the counter \(counter)."))
    }
    let window = windows[call.key.instance]
    guard counter >= window?.floor ?? 0, window?.hasEnded != true else {
      return .refused(
        Failure(
          .staleKey,
          "Call \(counter) is below the floor, or its answer was forgotten; it was not run again."))
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
    return hasRoom(for: call, in: window)
      ? .new
      : .refused(
        Failure(.floorTooLow, "Too many answers wait to be acknowledged by a higher floor."))
  }

  /// Whether the instance itself has room: others of its player have to make it.
  ///
  /// What the call's own floor is about to drop does not count: a client that has just read a full
  /// window of answers must not be locked out. Nor is a call refused for bytes when the highest
  /// floor that it may come with would not drop enough of them.
  private func hasRoom(for call: KeyedCall, in window: ReplyWindow?) -> Bool {
    guard let window else { return true }
    let dropped = window.dropped(by: call.key.floor)
    if window.answers.count - dropped.rows >= bounds.perInstanceMax { return false }
    if window.bytes - dropped.bytes < bounds.bytesPerOwnerMax { return true }
    return window.bytes - window.dropped(by: call.key.counter).bytes >= bounds.bytesPerOwnerMax
  }

  // MARK: Answers

  mutating func record(_ row: ReplyRow, _ changes: inout RowChanges) {
    let window = window(row.key.instance, of: row.player)
    if window.isForgotten { removeFloor(of: window, &changes) }
    var row = row
    // The newest row has the floor in force, also where the server has raised it.
    row.floor = max(row.floor, window.floor)
    changes.put(row)
    for key in change(window, { $0.take(row) }) { changes.remove(ReplyRow.self, key) }
    makeRoom(beside: window, &changes)
    expire(now: row.time, &changes)
  }

  private mutating func window(_ instance: UInt64, of player: PlayerID) -> ReplyWindow {
    if let window = windows[instance] { return window }
    let owner = AnswerOwner(player: player, instance: instance)
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
    }
    return keys
  }

  // MARK: Room

  /// Forgets the answers of the player's other instances that were silent for longest, while he
  /// has too many. Their calls do not run again, so that a client that is still there loses no
  /// more than the answer to a call that it repeats.
  private mutating func makeRoom(beside own: ReplyWindow, _ changes: inout RowChanges) {
    let account = own.account
    while account.rows > bounds.perOwnerMax || account.bytes > bounds.bytesPerOwnerMax,
      let silent = mostSilent(of: account.instances, except: own.instance)
    {
      forgetAnswers(of: silent, &changes) { $0.forget() }
    }
  }

  private func mostSilent(of instances: [UInt64], except own: UInt64? = nil) -> ReplyWindow? {
    instances.lazy.filter { $0 != own }.compactMap { windows[$0] }
      .min { ($0.lastTime, $0.instance) < ($1.lastTime, $1.instance) }
  }

  /// Removes an instance's answers, of which a floor is left.
  private mutating func forgetAnswers(
    of window: ReplyWindow, _ changes: inout RowChanges, _ drop: (ReplyWindow) -> [ReplyKey]
  ) {
    let account = window.account
    if !window.isForgotten { account.floors.append(window.instance) }
    for key in change(window, drop) { changes.remove(ReplyRow.self, key) }
    changes.put(window.floorRow)
    while account.floors.count > bounds.floorsPerOwnerMax,
      let silent = mostSilent(of: account.floors)
    {
      remove(silent, &changes)
    }
  }

  private func removeFloor(of window: ReplyWindow, _ changes: inout RowChanges) {
    window.account.floors.removeAll { $0 == window.instance }
    changes.remove(FloorRow.self, window.instance)
  }

  // MARK: Ends

  /// The session of an instance is over: its answers go, and its calls are refused for a while.
  mutating func end(_ instance: UInt64, now: Int64, _ changes: inout RowChanges) {
    guard let window = windows[instance], !window.hasEnded else { return }
    forgetAnswers(of: window, &changes) { $0.end(now: now) }
  }

  /// Forgets what an erased player's own client was answered. Others keep their answers, so that
  /// no call of theirs runs again.
  ///
  /// - Returns: false for the instance of another player.
  mutating func erase(
    _ instance: UInt64, _ erasure: Erasure, _ changes: inout RowChanges
  ) -> Bool {
    guard let window = windows[instance], window.account.owner.player == erasure.player else {
      return false
    }
    remove(window, &changes)
    return true
  }

  private mutating func remove(_ window: ReplyWindow, _ changes: inout RowChanges) {
    windows[window.instance] = nil
    if window.isForgotten { removeFloor(of: window, &changes) }
    for key in change(window, { $0.drop() }) { changes.remove(ReplyRow.self, key) }
    let account = window.account
    if account.instances.isEmpty && account.floors.isEmpty { accounts[account.owner] = nil }
  }

  /// Forgets a bounded number of instances that have long been silent, and a bounded number of
  /// rows.
  private mutating func expire(now: Int64, _ changes: inout RowChanges) {
    var removed = 0
    for _ in 0..<min(Self.expiryStepMax, expiryQueue.count) where removed < bounds.perInstanceMax {
      let instance = expiryQueue.removeFirst()
      guard let window = windows[instance] else { continue }
      let kept = window.hasEnded ? bounds.endedMilliseconds : bounds.keptMilliseconds
      guard window.lastTime + kept < now else {
        // Looked at again on a later round: the queue is in order of last look, not of last call.
        expiryQueue.append(instance)
        continue
      }
      removed += window.answers.count
      remove(window, &changes)
    }
  }
}

extension Failure {
  fileprivate static func invalid(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }
}
