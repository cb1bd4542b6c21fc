import Outgoing
import TestKit
import Testing
import Wire

@Suite("Push delivery, simulated", .inTurn)
struct PushSimulationTests {
  /// What is wrong with a run in which every event must arrive.
  private func complaints(_ plan: PushWorld.Plan) -> [String] {
    var world = PushWorld(plan)
    let report = world.run()
    var complaints = report.complaints
    if !report.isEmptied { complaints.append("there is no end") }
    let lost = report.written.subtracting(report.taken.keys).subtracting(report.erased)
    if !lost.isEmpty { complaints.append("\(lost.count) events are lost") }
    if !Set(report.taken.keys).isSubset(of: report.written) { complaints.append("unknown events") }
    if report.heldMax > plan.settings.callsMax { complaints.append("\(report.heldMax) are held") }
    // With so many faults an event needs two or three attempts; a hundred are no accident.
    if let most = report.sent.values.max(), most > 100 { complaints.append("sent \(most) times") }
    return complaints
  }

  @Test("each event arrives exactly once by its id, over faults of network, endpoint and process")
  func deliversEachEvent() {
    for seed in 1...300 as ClosedRange<UInt64> {
      var plan = PushWorld.Plan(seed: seed)
      plan.crashes = seed % 2 == 0
      if seed % 3 == 0 { plan.dead = 5_000..<60_000 }
      let found = complaints(plan)
      #expect(found.isEmpty, "seed \(seed): \(found)")
    }
  }

  @Test("the same seed gives the same run")
  func repeats() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var one = PushWorld(.init(seed: seed))
      var other = PushWorld(.init(seed: seed))
      #expect(one.run() == other.run(), "seed \(seed)")
    }
  }

  @Test("the checks notice a lost event, an endless one and one that is sent without need")
  func noticesFaults() {
    func finds(_ fault: PushWorld.Fault, _ word: String) -> Bool {
      (1...20 as ClosedRange<UInt64>).contains { seed in
        var plan = PushWorld.Plan(seed: seed)
        plan.crashes = false
        plan.fault = fault
        return complaints(plan).contains { $0.contains(word) }
      }
    }
    #expect(finds(.losesEvents, "lost"))
    #expect(finds(.keepsEvents, "no end"))
    #expect(finds(.keepsEvents, "times"))
    #expect(finds(.confirmsEarly, "again"))
  }

  @Test("a dead endpoint is probed now and then, its events get old, and nothing gathers")
  func givesUp() {
    for seed in 1...10 as ClosedRange<UInt64> {
      var plan = PushWorld.Plan(seed: seed, eventCount: 1000)
      plan.crashes = false
      plan.dead = 0..<Int64.max
      plan.settings.ageMillisecondsMax = 600_000
      var world = PushWorld(plan)
      let report = world.run()
      #expect(report.isEmptied && report.taken.isEmpty && report.complaints.isEmpty)
      #expect(report.heldMax <= plan.settings.callsMax)
      // An event that is erased while it is sent may be given up besides.
      let leastGivenUp = 1000 - report.erased.count
      #expect((leastGivenUp...1000).contains(report.removed[.givenUp] ?? 0))
      #expect(report.removed[.delivered] == nil)
      // A probe a second at most, and what was under way before the first failures.
      let calls = report.sent.values.reduce(0, +)
      #expect(calls <= 10 + Int(report.end / 1000), "seed \(seed): \(calls) calls")
      #expect((600_000...660_000).contains(report.end), "seed \(seed): \(report.end)")
    }
  }
}
