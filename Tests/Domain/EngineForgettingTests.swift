import TestKit
import Testing
import Wire

@testable import Domain

/// Refused effects are kept for a while on both sides, and no more than so many of them.
struct EngineForgettingTests {
  private let world = TinyWorld()
  private let failure = Failure(.invalidArgument, "no")

  /// Has one effect refused by its receiver, which is this same engine, and parked.
  private func refuseOne() -> Request {
    var share = Share()
    share.players = [.sample(1)]
    share.amount = -1
    let effect = world.call(share, .sample(2)).effects[0]
    let delivery = world.engine.delivery(of: effect)
    #expect(world.apply(delivery).failureCode == .invalidArgument)
    world.keep(world.engine.park(effect.key, failure, clock: world.clock))
    return delivery
  }

  private func runTimers() -> [String] { world.runTimers().flatMap(\.summary) }

  @Test func afterAMonthBothSidesForget() throws {
    let early = refuseOne()
    world.clock += 1000
    let late = refuseOne()
    world.clock += world.core.settings[.refusedEffectKept] - 1000
    #expect(runTimers() == [])
    try world.restart()
    world.clock += 1
    #expect(runTimers() == ["remove 5", "remove 3"])
    #expect(world.engine.parkedEffectCount == 1 && world.engine.droppedEffectCount == 1)
    #expect(world.apply(early).answer == .reply([]), "forgotten, and still not applied")
    #expect(world.apply(late).failureCode == .invalidArgument)
    #expect(world.total == 0)
    world.clock += 1000
    #expect(runTimers() == ["remove 5", "remove 3"])
    #expect(world.rows[ParkedRow.tableID]?.isEmpty == true)
    #expect(world.rows[RefusedRow.tableID]?.isEmpty == true)
  }

  @Test("what one step leaves to the next is not late, however old it is")
  func stepsOfOldRows() throws {
    for number in 1...UInt64(EffectLimits.forgottenPerStep + 1) {
      var row = ParkedRow()
      row.key = OutboxKey(slot: 0, sequence: number)
      row.time = Int64(number)
      world.store(row)
    }
    world.clock += 2 * world.core.settings[.refusedEffectKept]
    try world.restart()
    var dues: [Int64] = []
    while let due = world.engine.nextTimerDue, let request = world.takeTimer() {
      dues.append(due)
      _ = world.apply(request)
    }
    #expect(dues == [world.clock, world.clock] && world.engine.parkedEffectCount == 0)
  }

  @Test func pastTheBoundTheOldestParkedMakeRoom() throws {
    for number in 1...UInt64(EffectLimits.parkedCountMax) {
      var row = ParkedRow()
      row.key = OutboxKey(slot: 0, sequence: number)
      row.time = Int64(number)
      world.store(row)
    }
    try world.restart()
    _ = refuseOne()
    #expect(world.engine.parkedEffectCount == EffectLimits.parkedCountMax)
    #expect(world.engine.droppedEffectCount == 1)
  }

  @Test func agedKeysGoOldestFirst() {
    var keys = AgedKeys<UInt64>(countMax: 3, keptMillisecondsMax: 100)
    for (key, time) in [(5, 50), (1, 10), (4, 20), (3, 20), (2, 15)] as [(UInt64, Int64)] {
      keys.add(key, time: time)
    }
    keys.sort()
    func take(_ now: Int64, _ stepMax: Int) -> [UInt64] {
      keys.takeOld(now: now, atMost: stepMax).map(\.key)
    }
    #expect(take(0, 1) == [1])
    #expect(take(0, 9) == [2], "three may stay")
    #expect(take(120, 9) == [])
    #expect(take(121, 9) == [3, 4], "equal times by key")
    #expect(keys.count == 1)
  }

  @Test func agedKeysMakeRoomForOthersElsewhere() {
    var keys = AgedKeys<UInt64>(countMax: 3, keptMillisecondsMax: 100)
    for key in UInt64(1)...3 { keys.add(key, time: 0) }
    var others = AgedKeys<UInt64>(countMax: 3, keptMillisecondsMax: 100)
    for key in UInt64(4)...5 { others.add(key, time: 0) }
    #expect(keys.takeOld(now: 0, atMost: 9, beside: others).map(\.key) == [1, 2])
    #expect(keys.takeOld(now: 0, atMost: 9, beside: others).isEmpty && keys.count == 1)
  }

  @Test func agedKeysHaveNoMoreBytesThanTheyMay() {
    var keys = AgedKeys<UInt64>(countMax: 9, bytesMax: 100, keptMillisecondsMax: 100)
    for key in UInt64(1)...4 { keys.add(key, time: Int64(key), bytes: 25) }
    #expect(!keys.isOver() && keys.takeOld(now: 0, atMost: 9).isEmpty)
    keys.add(5, time: 5, bytes: 51)
    #expect(keys.bytes == 151 && keys.isOver())
    #expect(keys.takeOld(now: 0, atMost: 1).map(\.key) == [1] && keys.isOver())
    #expect(keys.takeOld(now: 0, atMost: 9).map(\.key) == [2, 3] && keys.bytes == 76)
    var others = AgedKeys<UInt64>(countMax: 9, keptMillisecondsMax: 100)
    others.add(6, time: 6, bytes: 40)
    #expect(keys.isOver(beside: others))
    #expect(keys.takeOld(now: 0, atMost: 9, beside: others).map(\.key) == [4])
  }

  @Test func anAgedKeyThatIsAddedAgainIsAsOldAsItsLastTime() {
    var keys = AgedKeys<UInt64>(countMax: 3, keptMillisecondsMax: 100)
    for (key, time) in [(1, 10), (2, 20), (1, 30)] as [(UInt64, Int64)] {
      keys.add(key, time: time)
    }
    #expect(keys.takeOld(now: 121, atMost: 9).map(\.time) == [10, 20])
    #expect(keys.takeOld(now: 131, atMost: 9).map(\.time) == [30])
  }
}
