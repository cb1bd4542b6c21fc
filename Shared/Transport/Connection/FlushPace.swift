/// How many pushes of a loop leave at once, and how long the others gather.
///
/// A push that leaves alone costs a TLS record and a system call, and the peer's machine a wake-up:
/// some ten times what it costs among others. While a loop has few, each leaves at the end of its
/// turn. When there are more than the pace allows, connections wait for a few milliseconds, and
/// what comes for them meanwhile leaves with it. So sixteen players who send to each other sixty
/// times a second get three pieces at a time, and two who play alone wait for nothing.
///
/// A loop that has no time left lets them wait for longer: what that saves, it relays more.
struct FlushPace {
  /// Flushes with pushes in a millisecond before connections begin to wait: an eighth of a core.
  static let perMillisecond = 16
  /// What a flush counts at most that comes with others at the same moment.
  static let crowdCostMax = 4
  /// Those that a quiet loop may make in a row.
  static let burstMax = 64
  /// The longest wait: much less than the time between two images of a game.
  static let millisecondsMax: UInt64 = 3
  /// The longest wait while the loop is full.
  static let fullMillisecondsMax: UInt64 = 8
  /// How often it is looked whether the loop is full, and what share of that time it then has
  /// nothing to do at most.
  static let lookMicroseconds: UInt64 = 50_000
  static let idleShareMin: UInt64 = 16

  /// Whether pushes gather for longer.
  private(set) var isFull = false
  /// 0 before the first look, which only begins to measure.
  private var lookedAt: UInt64 = 0
  private var idleBefore: UInt64 = 0
  private var left = FlushPace.burstMax
  private var filledAt: UInt64 = 0

  /// Takes a flush; false when the connection has to wait.
  ///
  /// - Parameter others: flushes that leave at the same moment. Where there are many, each brings
  ///   less of what it carries forward, and so counts more.
  mutating func take(among others: Int = 0, now: UInt64) -> Bool {
    fill(now: now)
    let cost = min(1 + others, Self.crowdCostMax)
    if left < cost { return false }
    left -= cost
    return true
  }

  /// True when a connection that waits is flushed now.
  mutating func takes(waitingSince start: UInt64, among others: Int = 0, now: UInt64) -> Bool {
    if take(among: others, now: now) { return true }
    return now >= start + (isFull ? Self.fullMillisecondsMax : Self.millisecondsMax)
  }

  /// Looks whether the loop is full.
  ///
  /// - Parameters:
  ///   - idle: for how long the loop has had nothing to do since it began.
  ///   - now: both in microseconds.
  mutating func look(idle: UInt64, now: UInt64) {
    if lookedAt == 0 { (lookedAt, idleBefore) = (now, idle) }
    let passed = now - min(lookedAt, now)
    if passed < Self.lookMicroseconds { return }
    isFull = (idle - min(idleBefore, idle)) * Self.idleShareMin < passed
    (lookedAt, idleBefore) = (now, idle)
  }

  private mutating func fill(now: UInt64) {
    if now <= filledAt { return }
    let passed = Int(min(now - filledAt, UInt64(Self.burstMax)))
    left = min(Self.burstMax, left + passed * Self.perMillisecond)
    filledAt = now
  }
}
