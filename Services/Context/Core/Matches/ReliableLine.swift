import Operations

/// The reliable data of one client on its way to another, as the service saw it in this life of the
/// process. It tells a receiver who takes no data from one to whom none was sent, and believes
/// neither side:
///
/// - A receiver owes what was passed on to its present connection without a gap after what it has,
///   by its own word. So a sender cannot make it owe what it cannot acknowledge: a connection keeps
///   order, and a gap that is filled late is owed when the receiver says that it has more.
/// - An acknowledgement counts up to what was passed on, and the sender is told what was counted,
///   nothing else. So a receiver cannot look good here without moving its sender on.
/// - What was owed over an earlier connection is owed again only when the sender repeats it, but it
///   counts from then: coming back is no acknowledgement.
/// - Data beyond a window of unacknowledged bytes is not passed on. An honest client has no more
///   than a third of it under way, so its data is dropped only where repeats were added to it.
struct ReliableLine {
  /// What the receiver still owed when its connection was lost, and since when.
  struct Carried {
    var number: UInt64
    let since: Int64
  }

  /// Bytes that may be under way.
  static let windowSizeMax = 3 * ContextLimits.matchWindowSizeMax
  /// After this time without a pause, what is under way over the present connection is late.
  static let lateMilliseconds: Int64 = 1000
  /// The least time between two repeats beyond the window; it doubles, up to the second value,
  /// until data is acknowledged. Clients wait twice as long.
  static let repeatMilliseconds: Int64 = 1000
  static let repeatMillisecondsMax: Int64 = 4000

  /// The highest number that was passed on.
  private var highest: UInt64 = 0
  /// Everything up to this number was passed on or is there, by the receiver's own word.
  private var owed: UInt64 = 0
  private(set) var acknowledged: UInt64 = 0
  /// What the receiver says it has.
  private var claimed: UInt64 = 0
  /// What the receiver has to acknowledge next, and since when; nil while it owes nothing.
  private var mark: UInt64 = 0
  private var since: Int64?
  /// Bytes that were passed on until the mark was set, and after that.
  private var sizeToMark = 0
  private var sizeBeyond = 0
  private var carried: Carried?
  /// Until when the receiver's present connection is judged by what was owed before it.
  private var settlesAt: Int64 = 0
  private var hasPassed = false
  private var repeatAt: Int64 = 0
  private var repeatPause = Self.repeatMilliseconds
  /// Whether the sender is to be told of what was acknowledged.
  private(set) var hasReceipt = false

  /// A piece comes from the sender. Returns whether to pass it on.
  mutating func pass(_ number: UInt64, size: Int, now: Int64) -> Bool {
    guard number > acknowledged else {
      // The sender has not heard of it.
      hasReceipt = number != 0
      return false
    }
    let cost = size + ContextLimits.matchPieceOverheadSize
    guard hasRoom(for: cost, number, now: now) else { return false }
    // An honest sender repeats at once when a receiver comes back.
    if !hasPassed && now > settlesAt { carried = nil }
    hasPassed = true
    highest = max(highest, number)
    sizeBeyond += cost
    guard number - 1 <= max(owed, claimed), number > owed else { return true }
    owed = number
    if since == nil { setMark(now) }
    return true
  }

  private mutating func hasRoom(for cost: Int, _ number: UInt64, now: Int64) -> Bool {
    if sizeToMark + sizeBeyond + cost <= Self.windowSizeMax { return true }
    guard number <= highest, now >= repeatAt else { return false }
    repeatAt = now + repeatPause
    repeatPause = min(2 * repeatPause, Self.repeatMillisecondsMax)
    return true
  }

  private mutating func setMark(_ now: Int64) {
    (mark, since) = (owed, now)
    sizeToMark += sizeBeyond
    sizeBeyond = 0
  }

  /// The receiver says that it has everything up to a number. Returns whether the sender is to be
  /// told.
  ///
  /// - Parameter tellsAgain: whether it is told also when this is not new.
  mutating func acknowledge(through number: UInt64, tellsAgain: Bool, now: Int64) -> Bool {
    let isNews = number > claimed && highest == 0
    claimed = max(claimed, number)
    let counted = min(number, highest)
    hasReceipt = hasReceipt || tellsAgain || isNews || counted > acknowledged
    if counted > acknowledged { count(counted, now: now) }
    return hasReceipt
  }

  private mutating func count(_ counted: UInt64, now: Int64) {
    acknowledged = counted
    owed = max(owed, counted)
    repeatPause = Self.repeatMilliseconds
    if let before = carried,
      counted >= before.number || (counted == owed && now > settlesAt)
    {
      carried = nil
    }
    if counted == highest { (sizeToMark, sizeBeyond) = (0, 0) }
    guard counted >= mark else { return }
    (since, sizeToMark) = (nil, 0)
    if owed > acknowledged { setMark(now) }
  }

  /// The receiver has another connection, and perhaps another client, whose numbers begin anew.
  ///
  /// - Parameter settlesAt: until when the connection is judged by what was owed before it.
  mutating func restart(isNewClient: Bool, settlesAt: Int64) {
    if carried == nil, owed > acknowledged, let since {
      carried = Carried(number: owed, since: since)
    }
    if isNewClient {
      if let before = carried { carried?.number = max(1, before.number - acknowledged) }
      (acknowledged, claimed, hasReceipt) = (0, 0, false)
    }
    (highest, owed, mark, since) = (acknowledged, acknowledged, acknowledged, nil)
    (sizeToMark, sizeBeyond) = (0, 0)
    (self.settlesAt, hasPassed) = (settlesAt, false)
    (repeatAt, repeatPause) = (0, Self.repeatMilliseconds)
  }

  /// How far the receiver is, if the sender is to be told.
  mutating func takeReceipt() -> UInt64? {
    defer { hasReceipt = false }
    // Nothing was passed on, as after a start of the process: the sender judges the receiver's
    // word.
    let through = highest == 0 ? claimed : acknowledged
    return hasReceipt && through != 0 ? through : nil
  }

  /// The sender has another connection: what it was told may be lost.
  mutating func tellAgain() { hasReceipt = true }

  /// Since when a connected receiver owes what it has had time to acknowledge; nil while it is not
  /// late.
  func lateSince(_ now: Int64) -> Int64? {
    guard owed > acknowledged, let since else { return nil }
    guard let carried, now - since >= Self.lateMilliseconds else { return since }
    return min(since, carried.since)
  }

  /// Since when the receiver has owed data, over whatever connections, as long as it has not shown
  /// that it takes data.
  func owesSince(_ now: Int64) -> Int64? {
    let late = lateSince(now)
    guard let carried, now < settlesAt else { return late }
    return min(late ?? carried.since, carried.since)
  }
}
