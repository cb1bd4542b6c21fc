import Domain
import Outgoing
import Wire

/// A simulation of the push hook: the shipped value, with a store, an endpoint and a clock made of
/// one seed. Nothing waits and nothing is called; time goes from one happening to the next.
struct PushWorld {
  /// How the caller or the endpoint goes wrong, to see that the checks notice.
  enum Fault: Sendable {
    /// What should be tried again is removed.
    case losesEvents
    /// What was delivered stays in the store.
    case keepsEvents
    /// A row says that it is written before it is.
    case confirmsEarly
  }

  struct Plan: Sendable {
    var seed: UInt64
    var eventCount = 40
    var crashes = true
    var fault: Fault?
    /// While this lasts, nobody answers or every call fails.
    var dead: Range<Int64> = 0..<0
    var settings: PushSettings = {
      var settings = PushSettings()
      settings.callsMax = 4
      settings.failuresMax = 3
      settings.backoffMillisecondsMin = 100
      settings.backoffMillisecondsMax = 5_000
      settings.probeMillisecondsMax = 2_000
      settings.retryAfterMillisecondsMax = 3_000
      settings.ageMillisecondsMax = 3_600_000
      settings.attemptMillisecondsMax = 20_000
      return settings
    }()
  }

  enum Happening {
    case write(EventID)
    case erase(EventID)
    case crash
    case wake
    case fetch(through: Int64, count: Int)
    case page([PushRow], next: Int64?)
    case reaches(EventID)
    case answer(EventID, attempt: Int, PushOutcome)
    case remove(EventID)
    case put(EventID, attempts: Int, due: Int64)
    case stored(EventID)
    case withdrawn(EventID)
  }

  let plan: Plan
  var random: RandomSource
  var delivery: PushDelivery
  var now: Int64 = 0
  /// By time and number; the least comes next.
  var agenda: [(time: Int64, number: Int, life: Int, Happening)] = []
  var happeningCount = 0
  /// What belongs to a life that ended in a crash does not happen, but for what left the process.
  var life = 0
  var wakeTime: Int64?
  var store: [EventID: PushRow] = [:]
  var report = Report()

  /// What there was to see.
  struct Report: Equatable {
    var written: Set<EventID> = []
    var erased: Set<EventID> = []
    /// How often each event reached the endpoint and was taken.
    var taken: [EventID: Int] = [:]
    var sent: [EventID: Int] = [:]
    var removed: [PushDelivery.Removal: Int] = [:]
    /// Events of which the caller has told that they were taken.
    var known: Set<EventID> = []
    var heldMax = 0
    var isEmptied = false
    var complaints: [String] = []
    var end: Int64 = 0
  }

  init(_ plan: Plan) {
    self.plan = plan
    random = .seeded(plan.seed)
    delivery = PushDelivery(plan.settings)
  }

  mutating func plan(after delay: Int64, _ happening: Happening, leavesProcess: Bool = false) {
    happeningCount += 1
    let item = (now + delay, happeningCount, leavesProcess ? -1 : life, happening)
    let place = agenda.firstIndex { ($0.time, $0.number) < (item.0, item.1) } ?? agenda.count
    agenda.insert(item, at: place)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  mutating func delay(_ most: Int64) -> Int64 { Int64.random(in: 0...most, using: &random) }

  /// Runs until nothing is left to happen, or for longer than anything may take.
  mutating func run() -> Report {
    for number in 1...plan.eventCount {
      let event = EventID(high: plan.seed, low: UInt64(number))
      let time = delay(20_000)
      plan(after: time, .write(event), leavesProcess: true)
      if chance(5) { plan(after: time + delay(10_000), .erase(event), leavesProcess: true) }
    }
    if plan.crashes {
      for _ in 0..<3 { plan(after: delay(30_000), .crash, leavesProcess: true) }
    }
    perform(delivery.start(now))
    while let next = agenda.popLast(), happeningCount < 200_000, now < 24 * 3_600_000 {
      now = next.time
      if next.life == -1 || next.life == life { happen(next.3) }
      report.heldMax = max(report.heldMax, delivery.heldCount)
    }
    report.end = now
    report.isEmptied = store.isEmpty && agenda.isEmpty
    return report
  }
}
