import Wire

/// Remembers the answers to changing calls, per client instance, between a client's floor and its
/// newest call, so that a repeated call gets the answer of the first.
///
/// Refusals are not remembered: they changed nothing, so running the call again is just as good.
struct ReplyWindows {
  /// Open calls of one client; more means that it never raises its floor.
  static let openCallsMax = 1024
  /// An instance that was silent for so long is forgotten: no client retries for a week.
  static let idleMillisecondsMax: Int64 = 7 * 24 * 3600 * 1000
  /// Instances looked at whenever an answer is remembered: two, so that the looking keeps up with
  /// what is added.
  static let expiryStepMax = 2

  /// The answers to one instance, in the order of its calls.
  fileprivate final class Window {
    var floor: UInt64 = 0
    var lastTime: Int64 = 0
    var replies: [ReplyRow] = []
  }

  enum Verdict {
    case new
    case repeated(reply: [UInt8])
    case refused(Failure)
  }

  fileprivate var windows: [UInt64: Window] = [:]
  private var expiryQueue = Queue<UInt64>()

  mutating func load(_ row: ReplyRow) { window(row.key.instance).take(row) }

  /// The window of an instance, made when it is first needed.
  private mutating func window(_ instance: UInt64) -> Window {
    if let window = windows[instance] { return window }
    let made = Window()
    windows[instance] = made
    expiryQueue.append(instance)
    return made
  }

  func verdict(_ key: IdempotencyKey, opcode: Opcode, bodyHash: UInt64) -> Verdict {
    guard let window = windows[key.instance] else { return .new }
    guard key.counter >= window.floor else {
      return .refused(
        Failure(.staleKey, "The answer to call \(key.counter) was already given and forgotten."))
    }
    if let row = window.reply(key.counter) {
      guard row.opcode == opcode.rawValue, row.bodyHash == bodyHash else {
        return .refused(
          Failure(.keyReused, "Call \(key.counter) was made before with other contents."))
      }
      return .repeated(reply: row.reply.array)
    }
    // What this call's own floor is about to drop does not count: a client that has just read a
    // full window of answers must not be locked out.
    let floor = min(key.floor, key.counter)
    guard
      window.replies.count < Self.openCallsMax
        || window.replies.count - window.place(of: floor) < Self.openCallsMax
    else {
      return .refused(
        Failure(.floorTooLow, "Too many answers wait to be acknowledged by a higher floor."))
    }
    return .new
  }

  mutating func record(_ row: ReplyRow, _ changes: inout RowChanges) {
    changes.put(row)
    for key in window(row.key.instance).take(row) { changes.remove(ReplyRow.self, key) }
    expire(now: row.time, &changes)
  }

  /// Forgets a bounded number of instances that have long been silent, and a bounded number of
  /// rows.
  private mutating func expire(now: Int64, _ changes: inout RowChanges) {
    var removed = 0
    for _ in 0..<min(Self.expiryStepMax, expiryQueue.count) where removed < Self.openCallsMax {
      guard let instance = expiryQueue.first, let window = windows[instance] else { break }
      guard window.lastTime + Self.idleMillisecondsMax < now else {
        // Looked at again on a later round: the queue is in order of last look, not of last call.
        expiryQueue.append(expiryQueue.removeFirst())
        continue
      }
      expiryQueue.removeFirst()
      windows[instance] = nil
      removed += window.replies.count
      for row in window.replies { changes.remove(ReplyRow.self, row.key) }
    }
  }
}

extension ReplyWindows.Window {
  /// The place of the first answer to this call or a later one. Calls mostly come in order, so it
  /// is looked for from the end.
  func place(of counter: UInt64) -> Int {
    var place = replies.count
    while place > 0, replies[place - 1].key.counter >= counter { place -= 1 }
    return place
  }

  func reply(_ counter: UInt64) -> ReplyRow? {
    let place = place(of: counter)
    return place < replies.count && replies[place].key.counter == counter ? replies[place] : nil
  }

  /// Adds an answer and drops those below the floor, whose keys it gives.
  @discardableResult
  func take(_ row: ReplyRow) -> [ReplyKey] {
    let place = place(of: row.key.counter)
    if place < replies.count && replies[place].key == row.key {
      replies[place] = row
    } else {
      replies.insert(row, at: place)
    }
    lastTime = max(lastTime, row.time)
    guard row.floor > floor else { return [] }
    floor = row.floor
    let below = replies[..<self.place(of: floor)].map(\.key)
    replies.removeFirst(below.count)
    return below
  }
}
