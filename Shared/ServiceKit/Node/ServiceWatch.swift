public import Transport

/// Whether a process of a service is there, and what the log is told of that: the process was
/// reached, is lost, is still lost, is back.
///
/// Several loops may have a link each to the process. It is lost when one of them has lost it, and
/// there when all have reached it.
public struct ServiceWatch: Sendable {
  public struct Note: Equatable, Sendable {
    public var level: Log.Level
    public var event: String
    public var reason: CloseReason?
    /// How long the process has been away.
    public var seconds: UInt64?
  }

  /// How long a process may be away without a warning, when nothing worse is known than that it
  /// does not listen: it may be starting, or be started again.
  public static let patienceMilliseconds: UInt64 = 5_000
  /// Until the next warning about a process that stays away; it doubles with each.
  static let repeatMillisecondsMin: UInt64 = 10_000
  static let repeatMillisecondsMax: UInt64 = 600_000
  /// How long a connection has to last: one whose peer is refused opens, and ends at once.
  static let settlingMilliseconds: UInt64 = 1_000
  /// Other reasons than these are not told by a line of their own.
  static let reasonsMax = 8

  private struct Absence {
    var since: UInt64
    /// Whether the process was there before.
    var isLoss: Bool
    var reason: CloseReason?
    var told: [CloseReason] = []
    var nextWarning: UInt64
    var wait = ServiceWatch.repeatMillisecondsMin
  }

  private enum State {
    case away(Absence)
    /// All links are open, the last one since this time.
    case settling(since: UInt64, Absence)
    case there
  }

  private var state: State
  private var closedLinks: Set<Int>

  /// - Parameter links: the numbers of the links to the process.
  public init(links: some Sequence<Int>, now: UInt64) {
    closedLinks = Set(links)
    state = .away(
      Absence(since: now, isLoss: false, nextWarning: now + Self.patienceMilliseconds))
  }

  public var isThere: Bool { if case .there = state { true } else { false } }

  public mutating func opened(_ link: Int, now: UInt64) {
    closedLinks.remove(link)
    if closedLinks.isEmpty, case .away(let absence) = state {
      state = .settling(since: now, absence)
    }
  }

  /// An attempt has failed, or a connection was lost.
  ///
  /// - Parameter wasServed: whether the peer had sent something over the connection that ended.
  public mutating func failed(
    _ link: Int, _ reason: CloseReason, wasServed: Bool, now: UInt64
  ) -> Note? {
    closedLinks.insert(link)
    let isOrdinary = isOrdinary(reason, wasServed)
    switch state {
    case .there:
      let wait = isOrdinary ? Self.patienceMilliseconds : Self.repeatMillisecondsMin
      state = .away(
        Absence(
          since: now, isLoss: true, reason: reason, told: [reason], nextWarning: now + wait))
      return Note(level: isOrdinary ? .info : .warning, event: "service lost", reason: reason)
    case .away(var absence), .settling(_, var absence):
      absence.reason = reason
      let isNews = !absence.told.contains(reason) && absence.told.count < Self.reasonsMax
      if isNews { absence.told.append(reason) }
      state = .away(absence)
      guard isNews else { return nil }
      if !isOrdinary { return Note(level: .warning, event: "service refused", reason: reason) }
      return absence.isLoss
        ? nil : Note(level: .info, event: "service not reached", reason: reason)
    }
  }

  /// Whether it need be no more than a process that is not started yet, or one that is started
  /// again. One that refuses this process closes the connection at once.
  private func isOrdinary(_ reason: CloseReason, _ wasServed: Bool) -> Bool {
    switch reason {
    case .connect: true
    case .endOfStream: wasServed || isThere
    default: false
    }
  }

  /// Called now and then, at least once a second.
  public mutating func look(now: UInt64) -> Note? {
    switch state {
    case .there: return nil
    case .settling(let since, let absence):
      guard now >= since + Self.settlingMilliseconds else { return nil }
      state = .there
      if !absence.isLoss { return Note(level: .info, event: "service reached") }
      // Loops read the clock at different moments.
      return Note(
        level: .info, event: "service back",
        seconds: (max(since, absence.since) - absence.since) / 1000)
    case .away(var absence):
      guard now >= absence.nextWarning else { return nil }
      absence.nextWarning = now + absence.wait
      absence.wait = min(absence.wait * 2, Self.repeatMillisecondsMax)
      state = .away(absence)
      return Note(
        level: .warning, event: absence.isLoss ? "service lost" : "service not reached",
        reason: absence.reason, seconds: (now - absence.since) / 1000)
    }
  }
}
