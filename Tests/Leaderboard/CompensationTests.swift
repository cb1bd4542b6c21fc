import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import LeaderboardCore

/// What becomes of challenges when a score is removed that they depended on.
struct CompensationTests {
  typealias P = Players

  /// Ada has 10 on the board and has challenged Bob, who has met it with 11; nobody was told yet.
  private func world(
    lifetime: UInt64? = nil, issuesBack: Bool = false,
    _ change: (inout LeaderboardDefinition) -> Void = { _ in }
  ) throws -> (World, Challenge) {
    let world = World()
    try world.define("board", change)
    if issuesBack {
      var operation = SetChallengePreferences()
      operation.issuesBack = true
      try world.driver.call(operation, as: P.bob)
    }
    try world.submit(10, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada, lifetime: lifetime)
    try world.settle()
    let challenge = try #require(try world.received(by: P.bob).first)
    try world.accept(challenge.id, as: P.bob)
    #expect(try world.submit(11, as: P.bob).completedChallenges == [challenge.id])
    try world.settle()
    world.events.removeAll()
    return (world, try #require(try world.issued(by: P.ada).first))
  }

  private func told(_ world: World, _ event: World.StreamedEvent) throws {
    for player in [P.ada, P.bob] { #expect(try world.takeEvents(of: player) == [event]) }
    #expect(world.events.isEmpty)
  }

  @Test("4.6 6.5 6.6 a challenge is open again without the score that completed it; both are told")
  func reopened() throws {
    let (world, completed) = try world()
    #expect(completed.state == .completed)
    try world.removeScore(of: P.bob)
    try world.driver.restart()
    var open = completed
    open.state = .accepted
    open.completionDate = nil
    try told(world, .reopened(open))
    for _ in 0..<2 {
      #expect(try world.received(by: P.bob) == [open])
      #expect(try world.issued(by: P.ada) == [open])
      try world.driver.restart()
    }
    #expect(world.rowCount(CompletedChallengeRow.tableID) == 0)
    // It can be met again, and is told again.
    #expect(try world.submit(12, as: P.bob).completedChallenges == [open.id])
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
    #expect(try world.received(by: P.bob).isEmpty)
    #expect(world.rowCount(CompletedChallengeRow.tableID) == 1)
  }

  @Test("4.6 falling back opens what the removed attempt completed, and nothing else")
  func fallsBack() throws {
    let (world, first) = try world { $0.attempts = .forever }
    try world.submit(20, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(20, as: P.bob)
    try world.settle()
    world.events.removeAll()
    #expect(try world.removeScore(of: P.bob, fallsBack: true)?.value == 11)
    try world.settle()
    let issued = try world.issued(by: P.ada)
    #expect(issued.map(\.value) == [20, 10] && issued.map(\.state) == [.pending, .completed])
    #expect(try world.received(by: P.bob).map(\.value) == [20])
    try told(world, .reopened(issued[0]))
    try world.removeScore(of: P.bob, fallsBack: true)
    try world.settle()
    #expect(try world.received(by: P.bob).map(\.id).contains(first.id))
  }

  @Test("4.6 a challenge whose date has passed is not open again, but has expired")
  func expired() throws {
    let (world, completed) = try world(lifetime: 1000)
    world.driver.clock += 1000
    try world.removeScore(of: P.bob)
    var expired = completed
    expired.state = .expired
    expired.completionDate = nil
    try told(world, .expired(expired))
    #expect(try world.issued(by: P.ada) == [expired])
    #expect(try world.received(by: P.bob).isEmpty)
    world.driver.runTimers()
    try world.settle()
    #expect(world.events.isEmpty)
  }

  @Test("4.6 a challenge that is open again still expires, told once")
  func expiresLater() throws {
    let (world, _) = try world(lifetime: 1000)
    try world.removeScore(of: P.bob)
    try world.settle()
    world.events.removeAll()
    world.driver.clock += 1000
    world.driver.runTimers()
    let expired = try #require(try world.issued(by: P.ada).first)
    #expect(expired.state == .expired)
    try told(world, .expired(expired))
  }

  @Test("4.6 open challenges that the removed score issued are withdrawn; both are told")
  func withdrawn() throws {
    let (world, completed) = try world { $0.attempts = .forever }
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(15, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.settle()
    world.events.removeAll()
    // The 15 alone goes, then all.
    for value: Int64 in [15, 10] {
      try world.removeScore(of: P.ada, fallsBack: value == 15)
      try world.driver.restart()
      let issued = try world.issued(by: P.ada)
      let gone = try #require(issued.first { $0.value == value && $0.id != completed.id })
      #expect(gone.state == .withdrawn)
      try told(world, .withdrawn(gone))
      #expect(try world.received(by: P.bob).map(\.value) == (value == 15 ? [10] : []))
    }
    // What was met stays met.
    #expect(try world.issued(by: P.ada).contains(completed))
    // The score that it asks to meet is gone: it does not open again.
    try world.removeScore(of: P.bob)
    var gone = completed
    gone.state = .withdrawn
    gone.completionDate = nil
    try told(world, .withdrawn(gone))
  }

  @Test("4.6 a challenge issued with a newer score is not withdrawn with an older one")
  func newer() throws {
    let (world, _) = try world()
    try world.removeScore(of: P.ada)
    try world.submit(3, as: P.ada)
    _ = try world.issue(to: [P.cleo], as: P.ada)
    try world.driver.restart()
    try world.settle()
    #expect(try world.received(by: P.cleo).map(\.value) == [3])
  }

  @Test("4.6 6.6 a challenge issued back is withdrawn with the score that beat the first one")
  func issuedBack() throws {
    for isLate in [false, true] {
      let (world, first) = try world(issuesBack: true) { $0.attempts = .forever }
      let offers = try world.driver.takeEffects(OfferReturnChallenge.self)
      #expect(offers.count == 1 && offers[0].operation.challenge.beaten == first.id)
      let pass = {
        for (_, offer) in offers {
          try world.driver.call(offer.challenge, as: PlayerID(), kind: .service)
        }
        try world.settle()
      }
      if !isLate {
        try pass()
        #expect(try world.received(by: P.ada).map(\.value) == [11])
        world.events.removeAll()
      }
      try world.removeScore(of: P.bob, fallsBack: true)
      try world.settle()
      // One that was on its way does not come any more.
      if isLate { try pass() }
      #expect(try world.received(by: P.ada).isEmpty)
      #expect(try world.received(by: P.bob).map(\.id) == [first.id])
      let told = world.events.filter { if case .withdrawn = $0.event { true } else { false } }
      #expect(told.count == (isLate ? 0 : 2))
      let received = world.events.filter { if case .received = $0.event { true } else { false } }
      #expect(received.isEmpty)
    }
  }

  @Test("4.6 quarantine and ban leave challenges as they are, until the score is removed")
  func restricted() throws {
    let (world, completed) = try world()
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.settle()
    world.events.removeAll()
    try world.restrict(P.bob, .ban)
    try world.restrict(P.ada, .quarantine)
    try world.settle()
    #expect(world.events.isEmpty)
    #expect(try world.issued(by: P.ada).map(\.state) == [.pending, .completed])
    try world.removeScore(of: P.bob)
    try world.settle()
    #expect(world.events.count == 2)
    #expect(try world.received(by: P.bob).map(\.id).contains(completed.id))
  }

  @Test("4.6 many challenges are put right in steps of few rows, each told once")
  func steps() throws {
    let world = World()
    try world.define()
    let issuers = (1...60).map { PlayerID.sample(UInt64($0)) }
    for issuer in issuers {
      try world.submit(5, as: issuer)
      _ = try world.issue(to: [P.bob], as: issuer)
    }
    #expect(try world.submit(6, as: P.bob).completedChallenges.count == 60)
    for receivers in [issuers[..<30], issuers[30...]] {
      _ = try world.issue(to: Array(receivers), as: P.bob)
    }
    try world.settle()
    world.events.removeAll()
    try world.removeScore(of: P.bob)
    var steps = 0
    while true {
      let before = world.driver.changeCount
      guard try world.driver.deliverFirst(CompensateRemoval.self, isDoubled: true) else { break }
      steps += 1
      // Each challenge makes two rows and four effects, a step a few of its own.
      #expect(world.driver.changeCount - before <= 16 * 6 + 4)
      try world.driver.restart()
    }
    #expect(steps == 8)
    try world.settle()
    #expect(world.events.count == 240)
    #expect(try world.received(by: P.bob).count == 60)
    #expect(try world.issued(by: P.bob, limit: 100).allSatisfy { $0.state == .withdrawn })
  }

  @Test("4.6 6.5 a completion can be undone for 90 days; then its row goes, in bounded steps")
  func trimmed() throws {
    let (world, completed) = try world()
    let days = world.driver.core.settings[.completedChallengeKept]
    for issuer in (1...70).map({ PlayerID.sample(UInt64($0)) }) {
      try world.submit(5, as: issuer)
      _ = try world.issue(to: [P.cleo], as: issuer)
    }
    world.driver.clock += days - 1
    try world.submit(5, as: P.cleo)
    world.driver.runTimers()
    try world.settle()
    #expect(world.rowCount(CompletedChallengeRow.tableID) == 71)
    world.driver.clock += 1
    // Final from now on, whether or not the row has gone.
    world.events.removeAll()
    try world.removeScore(of: P.bob)
    try world.settle()
    #expect(world.events.isEmpty)
    #expect(try world.issued(by: P.ada) == [completed])
    try world.driver.restart()
    world.driver.clock += 24 * 3600 * 1000
    world.driver.runTimers()
    try world.settle()
    #expect(world.rowCount(CompletedChallengeRow.tableID) == 70)
    try world.removeScore(of: P.cleo)
    try world.settle()
    #expect(try world.received(by: P.cleo, limit: 100).count == 70)
  }

  @Test("4.6 rows of completed challenges go a bounded number at each step")
  func trimSteps() throws {
    let world = World()
    try world.define()
    for issuer in (1...70).map({ PlayerID.sample(UInt64($0)) }) {
      try world.submit(5, as: issuer)
      _ = try world.issue(to: [P.cleo], as: issuer)
    }
    try world.submit(5, as: P.cleo)
    try world.settle()
    world.driver.clock += world.driver.core.settings[.completedChallengeKept]
    world.driver.runTimers()
    var left: [Int] = []
    while try world.driver.deliverFirst(SweepAttempts.self, isDoubled: true) {
      left.append(world.rowCount(CompletedChallengeRow.tableID))
    }
    #expect(left == [70 - Sweeps.completedMax, 0])
  }

  @Test(
    "4.6 6.2 a met challenge does not open again when the attempt that it asks to meet was removed")
  func issuersFallback() throws {
    let (world, _) = try world { $0.attempts = .forever }
    try world.submit(20, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(20, as: P.bob)
    try world.removeScore(of: P.ada, fallsBack: true)
    try world.settle()
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed, .completed])
    // A better score since does not bring the removed one back.
    try world.submit(30, as: P.ada)
    try world.driver.restart()
    world.events.removeAll()
    for _ in 0..<2 { try world.removeScore(of: P.bob, fallsBack: true) }
    try world.settle()
    #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn, .accepted])
    #expect(try world.received(by: P.bob).map(\.value) == [10])
    #expect(world.events.count == 4)
  }

  /// A board whose occurrences last 100 seconds each, at the start of the first one.
  private func seasons() throws -> World {
    let world = World()
    try world.define {
      $0.recurrence = Recurrence(.seconds, 1_700_000_000, 100, every: 100)
      $0.olderOccurrencesKept = 2
    }
    return world
  }

  @Test("6.6 a removal in one occurrence leaves what rests on a score of another")
  func otherOccurrence() throws {
    let world = try seasons()
    try world.submit(10, as: P.ada)
    let id = try #require(try world.issue(to: [P.bob], as: P.ada).first?.challenge)
    world.driver.clock += 100_000
    try world.submit(10, as: P.ada)
    try world.removeScore(of: P.ada)
    #expect(try world.submit(11, as: P.bob).completedChallenges == [id])
    try world.removeScore(of: P.bob)
    // The score that it asks to meet stands, in the occurrence before.
    #expect(try world.received(by: P.bob).map(\.id) == [id])
    try world.driver.restart()
    #expect(try world.issued(by: P.ada).map(\.state) == [.pending])
  }

  @Test("6.6 a challenge issued back late rests on the occurrence in which the other was beaten")
  func lateReturn() throws {
    let world = try seasons()
    var operation = SetChallengePreferences()
    operation.issuesBack = true
    try world.driver.call(operation, as: P.bob)
    try world.submit(10, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(11, as: P.bob)
    try world.settle()
    world.driver.clock += 100_000
    for (_, offer) in try world.driver.takeEffects(OfferReturnChallenge.self) {
      try world.driver.call(offer.challenge, as: PlayerID(), kind: .service)
    }
    try world.submit(5, as: P.bob)
    try world.removeScore(of: P.bob)
    #expect(try world.received(by: P.ada).map(\.value) == [11])
  }

  @Test("6.6 what rests on a score in quarantine ends with it, whenever it is removed")
  func heldOfBefore() throws {
    // In the new occurrence nobody has a score yet, another player has one, or Ada has one too.
    for players in [[], [P.cleo], [P.ada]] {
      let world = try seasons()
      try world.submit(10, as: P.ada)
      _ = try world.issue(to: [P.bob], as: P.ada)
      try world.restrict(P.ada, .quarantine)
      world.driver.clock += 100_000
      for player in players { try world.submit(5, as: player) }
      try world.removeScore(of: P.ada)
      try world.driver.restart()
      #expect(try world.received(by: P.bob).isEmpty)
      #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn])
      #expect(try world.rank(of: P.ada).entry == nil)
    }
  }

  @Test("6.6 nobody is asked to meet a score that was in quarantine and made room for another")
  func madeRoom() throws {
    let world = try seasons()
    try world.submit(10, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.restrict(P.ada, .quarantine)
    world.driver.clock += 100_000
    try world.submit(10, as: P.bob)
    try world.submit(11, as: P.ada)
    try world.restrict(P.ada, .quarantine)
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
    try world.driver.restart()
    try world.removeScore(of: P.bob)
    #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn])
    try world.restrict(P.ada, .release)
    #expect(try world.top().entries.map(\.value) == [11])
    #expect(try world.top(in: .back(1)).total == 0)
  }

  @Test("6.6 a score in quarantine that makes room is removed, with all that rested on it")
  func madeRoomForAnother() throws {
    let world = try seasons()
    try world.submit(5, as: P.bob)
    let met = try #require(try world.issue(to: [P.ada], as: P.bob).first?.challenge)
    #expect(try world.submit(10, as: P.ada).completedChallenges == [met])
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.restrict(P.ada, .quarantine)
    world.driver.clock += 100_000
    try world.submit(11, as: P.ada)
    try world.restrict(P.ada, .quarantine)
    try world.driver.restart()
    #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn])
    #expect(try world.received(by: P.bob).isEmpty)
    // What the removed score had met is to be met again.
    #expect(try world.received(by: P.ada).map(\.id) == [met])
    #expect(try world.issued(by: P.bob).map(\.state) == [.pending])
  }

  @Test("6.2 6.6 a challenge rests on the entry that its score falls back to, if that is as good")
  func movedToFallback() throws {
    for (order, sign) in [(ScoreOrder.highFirst, Int64(1)), (.lowFirst, -1)] {
      for value: Int64 in [10, 11] {
        let world = World()
        try world.define { ($0.attempts, $0.sortOrder) = (.forever, order) }
        for attempt: Int64 in [10, 30] { try world.submit(attempt * sign, as: P.ada) }
        _ = try world.issue(to: [P.bob], as: P.ada, value: value * sign)
        try world.settle()
        world.events.removeAll()
        try world.removeScore(of: P.ada, fallsBack: true)
        try world.driver.restart()
        let isMet = value == 10
        #expect(try world.issued(by: P.ada).map(\.state) == [isMet ? .pending : .withdrawn])
        #expect(try world.received(by: P.bob).map(\.value) == (isMet ? [10 * sign] : []))
        #expect(world.events.isEmpty == isMet)
        guard isMet else { continue }
        #expect(try world.received(by: P.bob) == world.issued(by: P.ada))
        // It has gone over to that entry, and goes with it.
        try world.driver.restart()
        try world.removeScore(of: P.ada, fallsBack: true)
        #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn])
        #expect(try world.received(by: P.bob).isEmpty)
      }
    }
  }

  @Test("6.6 a challenge does not outlast the removal of all of its issuer's attempts")
  func notMoved() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    for value: Int64 in [10, 30] { try world.submit(value, as: P.ada) }
    _ = try world.issue(to: [P.bob], as: P.ada, value: 5)
    try world.removeScore(of: P.ada)
    try world.submit(50, as: P.ada)
    #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn])
  }

  @Test("6.6 a met challenge opens again on an earlier attempt that vouches for it as well")
  func reopenedOnFallback() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    for value: Int64 in [10, 30] { try world.submit(value, as: P.ada) }
    world.driver.clock += 1
    let id = try #require(try world.issue(to: [P.bob], as: P.ada, value: 10).first?.challenge)
    #expect(try world.submit(12, as: P.bob).completedChallenges == [id])
    try world.removeScore(of: P.ada, fallsBack: true)
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
    try world.removeScore(of: P.bob)
    try world.driver.restart()
    #expect(try world.issued(by: P.ada).map(\.state) == [.pending])
    #expect(try world.received(by: P.bob).map(\.id) == [id])
    try world.removeScore(of: P.ada, fallsBack: true)
    #expect(try world.issued(by: P.ada).map(\.state) == [.withdrawn])
  }

  @Test("4.6 of very many removed attempts the newest are known, and older ones count as removed")
  func removedAttempts() {
    func range(_ first: UInt64, _ through: UInt64? = nil) -> ArrivalRange {
      ArrivalRange(first: first, through: through ?? first)
    }
    var mark = PlayerMarkRow()
    mark.remove(range(0, 3))
    let max = UInt64(PlayerMarkRow.removedMax)
    for arrival in (1...max).reversed() { mark.remove(range(10 * arrival)) }
    // One too many: of the single ones the oldest is forgotten.
    #expect(mark.removed == [range(0, 3)] + (2...max).map { range(10 * $0) })
    #expect(mark.hasRemoved(3) && mark.hasRemoved(10) && mark.hasRemoved(10 * max))
    #expect(!mark.hasRemoved(11) && !mark.hasRemoved(10 * max + 1))
    #expect(!mark.counts(3) && mark.counts(4) && !mark.counts(20) && mark.counts(21))
    mark.remove(range(15))
    #expect(mark.hasRemoved(15) && !mark.hasRemoved(16) && mark.lastArrival == 10 * max)
    #expect(mark.removed.count == PlayerMarkRow.removedMax)
    // A removal takes the place of those within.
    mark.remove(range(18, 10 * max + 5))
    #expect(mark.removed == [range(0, 3), range(18, 10 * max + 5)])
    #expect(mark.hasRemoved(15) && !mark.hasRemoved(16) && mark.hasRemoved(18))
    #expect(mark.floor == 3)
    mark.remove(range(0, 10 * max + 9))
    #expect(mark.removed == [range(0, 10 * max + 9)] && mark.floor == 10 * max + 9)
    mark.hidden = range(0, 10 * max + 20)
    #expect(mark.floor == 10 * max + 20 && !mark.counts(10 * max + 10))
    #expect(!mark.hasRemoved(10 * max + 10))
  }

  @Test("4.6 a challenge does not open again beside as many of the same issuer as there may be")
  func fullPair() throws {
    let (world, completed) = try world()
    for _ in 0..<LeaderboardLimits.openChallengesPerPairMax {
      try world.submit(50, as: P.ada)
      #expect(try world.issue(to: [P.bob], as: P.ada)[0].challenge != nil)
    }
    try world.settle()
    world.events.removeAll()
    try world.removeScore(of: P.bob)
    try world.settle()
    var gone = completed
    gone.state = .withdrawn
    gone.completionDate = nil
    try told(world, .withdrawn(gone))
    #expect(try world.received(by: P.bob).count == LeaderboardLimits.openChallengesPerPairMax)
  }

  @Test("4.6 with no room left a challenge does not open again, but is withdrawn")
  func full() throws {
    let (world, completed) = try world()
    let others = (1...10).map { PlayerID.sample(UInt64($0)) }
    for issuer in others {
      try world.submit(50, as: issuer)
      for _ in 0..<10 { _ = try world.issue(to: [P.bob], as: issuer) }
    }
    try world.settle()
    world.events.removeAll()
    try world.removeScore(of: P.bob)
    try world.settle()
    var gone = completed
    gone.state = .withdrawn
    gone.completionDate = nil
    #expect(world.events.map(\.event) == [.withdrawn(gone), .withdrawn(gone)])
    #expect(try world.received(by: P.bob, limit: 100).count == 100)
  }
}
