import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// Timers are served in time, in order and once, whatever else happens.
@Suite struct TimerDispatcherTests {
  @Test("a timer comes at most 50 ms late when there is nothing else to do")
  func punctual() throws {
    let world = try ClockedWorld()
    var random = RandomSource.seeded(3)
    var due: [UInt64: Int64] = [:]
    for number in 1...300 as ClosedRange<UInt64> {
      world.run(until: world.milliseconds + .random(in: 0...40, using: &random))
      let wait = Int64.random(in: 0...20_000, using: &random)
      due[number] = world.clock + wait
      world.note(number, in: wait, key: .random(in: 0...9, using: &random))
    }
    world.run()
    #expect(world.core.numbered.count == 300)
    let late = try world.core.numbered.map { $0.time - (try #require(due[$0.number])) }
    #expect(late.allSatisfy { (0...50).contains($0) }, "\(late.max() ?? 0)")
    #expect(try world.timerCount == 0)
  }

  @Test("months may pass until a timer comes, and nothing happens meanwhile")
  func noPolling() throws {
    let world = try ClockedWorld()
    world.run()
    world.note(1, in: 200 * 24 * 3600 * 1000)
    var steps = 0
    while world.step() { steps += 1 }
    #expect(steps < 20 && world.core.numbered.map(\.number) == [1])
  }

  @Test("a timer is served in order with the calls of its key")
  func order() throws {
    let world = try ClockedWorld()
    world.note(1, in: 100)
    world.run(until: 99)
    // It makes a batch, behind which the three wait.
    world.call(AddNote(), key: 8)
    world.call(NumberedNote(number: 5))
    // It is read for a millisecond.
    world.run(until: 101)
    world.call(NumberedNote(number: 6))
    world.run()
    #expect(world.core.numbered.map(\.number) == [5, 1, 6])
    #expect((100...150).contains(world.core.numbered[1].time - 1_000_000))
  }

  @Test("however many timers come and go beside a late one, a few wakes stand")
  func wakes() throws {
    let world = try ClockedWorld()
    world.note(1, in: 24 * 3600 * 1000, key: 3)
    for number in 2...300 as ClosedRange<UInt64> {
      world.note(number, in: 10)
      if number % 10 == 0 { world.clockChanged() }
      world.run(until: world.milliseconds + 100)
      #expect(world.standingCount <= 2, "\(number)")
    }
    #expect(world.core.numbered.count == 299)
  }

  @Test("each timer has its effect once, wherever the process dies")
  func deaths() throws {
    var dies = 1
    var wasOver = false
    while !wasOver {
      let disk = MemoryDisk()
      let first = try ClockedWorld(on: disk)
      for number in 1...5 as ClosedRange<UInt64> {
        first.note(number, in: Int64(number) * 2, key: number % 3)
      }
      var asked: [UInt64] = []
      for _ in 0..<dies where !wasOver { wasOver = !first.step() }
      // Those whose setting is durable are still to come or have come.
      asked = try first.notes
      let pending = try first.timerCount
      let second = try ClockedWorld(on: disk)
      second.run()
      #expect(try second.notes.count == asked.count + pending && second.timerCount == 0)
      #expect(second.engine.refusedTimerCount == 0 && second.runner.isIdle)
      dies += 1
    }
    #expect(dies > 20)
  }

  @Test("thousands that came due while the service was down leave room for calls")
  func afterAStop() throws {
    let disk = MemoryDisk()
    let first = try ClockedWorld(on: disk)
    for number in 1...2000 as ClosedRange<UInt64> { first.note(number, in: 60_000, key: number) }
    first.run(until: 10_000)
    let second = try ClockedWorld(on: disk)
    second.wallOffset = 3_600_000
    second.clockChanged()
    var waits: [UInt64] = []
    while second.core.numbered.count < 2000 {
      let start = second.milliseconds
      second.call(AddNote(), key: 5000 + start) { _ in waits.append(second.milliseconds - start) }
      second.run(until: start + 5)
    }
    second.run()
    #expect(waits.count > 40 && waits.max() ?? 99 <= 20, "\(waits.max() ?? 99)")
    #expect(second.engine.pendingTimerCount == 0)
  }

  @Test("a clock that is set forward is noticed, one that is set back does not stop timers")
  func clockJumps() throws {
    let world = try ClockedWorld()
    world.note(1, in: 3_600_000)
    world.run(until: 100)
    world.wallOffset = 3_600_000
    world.clockChanged()
    world.run(until: 150)
    #expect(world.core.numbered.map(\.number) == [1])
    world.note(2, in: 1000)
    world.wallOffset = -3_600_000
    world.clockChanged()
    // Time goes more slowly until the wall clock has caught up: see `SteadyClock`.
    world.run(until: 1400)
    #expect(world.core.numbered.map(\.number) == [1, 2])
  }

  @Test("timers wait for room on a disk that is full, and are not lost")
  func fullDisk() throws {
    let world = try ClockedWorld()
    for number in 1...100 as ClosedRange<UInt64> { world.note(number, in: 1000, key: number) }
    world.run(until: 500)
    world.runner.isStorageFull = true
    world.run(until: 3000)
    #expect(world.core.numbered.isEmpty)
    world.runner.isStorageFull = false
    world.run()
    #expect(world.core.numbered.count == 100 && world.engine.refusedTimerCount == 0)
  }

  @Test("a timer that is refused for good goes, and is counted")
  func refused() throws {
    let world = try ClockedWorld()
    var note = NumberedNote()
    note.number = 4
    world.call(note)
    world.note(4, in: 10)
    world.run()
    #expect(try world.timerCount == 0 && world.notes == [4])
    #expect(world.engine.refusedTimerCount == 1)
  }

  @Test("no timer begins when the process is to end")
  func stopping() throws {
    let world = try ClockedWorld()
    world.note(1, in: 100)
    world.run(until: 50)
    world.runner.quiesce()
    world.run()
    #expect(world.core.numbered.isEmpty && world.runner.isIdle)
    #expect(try world.timerCount == 1)
  }
}

@Suite struct SteadyClockTests {
  @Test("time follows the wall clock forward, and goes on where that is set back")
  func steps() {
    var clock = SteadyClock(time: 500, microseconds: 0)
    #expect(clock.now(wall: 1000, microseconds: 1_000) == 1000)
    #expect(clock.now(wall: 5000, microseconds: 2_000) == 5000)
    #expect(clock.now(wall: 2000, microseconds: 18_999) == 5014)
    #expect(clock.now(wall: 2010, microseconds: 34_000) == 5028)
    #expect(clock.now(wall: 5029, microseconds: 34_900) == 5029)
  }

  @Test("a lead over the wall clock is made up, and time never stands still for long")
  func heals() {
    let hour: Int64 = 3_600_000
    var clock = SteadyClock(time: hour, microseconds: 0)
    var last: Int64 = 0
    for second in 1...Int64(8 * 3600) {
      let time = clock.now(wall: second * 1000, microseconds: UInt64(second) * 1_000_000)
      #expect(time > last)
      last = time
    }
    #expect(last == 8 * hour)
    #expect(clock.now(wall: 9 * hour, microseconds: UInt64(9 * hour) * 1000) == 9 * hour)
  }

  @Test("an earlier life's clock that was ahead is gone on from")
  func earlierLife() {
    var clock = SteadyClock(time: 9000, microseconds: 7_000_000)
    #expect(clock.now(wall: 1000, microseconds: 7_000_900) == 9000)
    #expect(clock.now(wall: 1001, microseconds: 7_001_200) == 9001)
  }

  @Test("in one turn the clocks are read once, unless the wall clock was set meanwhile")
  func turns() {
    var clock = SteadyClock(time: 0, microseconds: 0)
    #expect(clock.now(inTurn: 7, wall: 1000, microseconds: 7_000) == 1000)
    #expect(clock.now(inTurn: 7, wall: 1005, microseconds: 12_000) == 1000, "a long turn")
    #expect(clock.now(inTurn: 12, wall: 1006, microseconds: 13_000) == 1006)
    #expect(clock.now(inTurn: 12, wall: 9000, microseconds: 13_500) == 1006)
    clock.wallClockChanged()
    #expect(clock.now(inTurn: 12, wall: 9001, microseconds: 14_000) == 9001)
    clock.wallClockChanged()
    #expect(clock.now(inTurn: 12, wall: 1007, microseconds: 15_000) == 9001, "it never goes back")
  }

  @Test("it does not run fast, however often it is read")
  func rate() {
    var clock = SteadyClock(time: 0, microseconds: 0)
    var random = RandomSource.seeded(6)
    var now: UInt64 = 1_000_000
    for _ in 0..<10_000 {
      now += .random(in: 1...1500, using: &random)
      #expect(clock.now(wall: Int64(now / 1000), microseconds: now) == Int64(now / 1000))
    }
  }
}

@Suite struct WallClockWatchTests {
  /// The seconds, of so many, in which the watch saw a step.
  private func steps(_ seconds: Int, wall: (Int64) -> Int64) -> [Int64] {
    var watch = WallClockWatch(wall: wall(0), microseconds: 0)
    return (1...Int64(seconds)).filter {
      watch.hasGained(wall: wall($0), microseconds: UInt64($0) * 1_000_000)
    }
  }

  @Test("a clock that is set forward is noticed once, also after it was set back")
  func steps() {
    #expect(steps(9) { $0 * 1000 }.isEmpty)
    #expect(steps(9) { $0 * 1000 + ($0 < 4 ? 0 : 3_600_000) } == [4])
    #expect(steps(9) { $0 * 1000 - ($0 < 4 ? 0 : 3_600_000) }.isEmpty)
    #expect(steps(9) { $0 * 1000 - ((4..<7).contains($0) ? 5000 : 0) } == [7])
  }

  @Test("a clock that is slewed is noticed as often as it gained a step")
  func slewing() {
    // Half a millisecond a second, as time daemons do.
    #expect(steps(200) { $0 * 1000 + $0 / 2 } == [40, 80, 120, 160, 200])
  }
}
