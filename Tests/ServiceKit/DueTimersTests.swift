import Domain
import Testing
import Wire

@testable import ServiceKit

/// Timers whose calls are in rows: many that are due at once, and what happens to one while it is
/// read.
@Suite struct DueTimersTests {
  @Test("a thousand due at one key fire in few batches; a call of the key waits for two at most")
  func manyAtOneKey() throws {
    let world = try ClockedWorld()
    for number in 1...1000 as ClosedRange<UInt64> {
      world.note(number, in: 1000, isBlind: true)
    }
    world.run(until: 999)
    let before = world.batchCount
    var waits: [UInt64] = []
    while world.core.numbered.count < 1000 {
      let start = world.milliseconds
      world.call(AddNote()) { _ in waits.append(world.milliseconds - start) }
      world.run(until: start + 5)
    }
    world.run()
    #expect(world.batchCount - before <= 80, "\(world.batchCount - before) batches")
    // For what is left of the batch under way, and for the one that it is in.
    let longest = try #require(waits.max())
    #expect(longest <= 2 * ClockedWorld.batchMilliseconds, "\(longest) ms")
    #expect(world.core.numbered.map(\.number) == Array(1...1000))
    #expect(try world.notes.count == 1000 && world.timerCount == 0)
  }

  @Test("timers of one key fire by their times, with rows or without")
  func order() throws {
    let world = try ClockedWorld()
    for number in 1...200 as ClosedRange<UInt64> {
      world.note(number, in: 2000 - Int64(number), isBlind: true, isInMemory: number % 3 == 0)
    }
    world.run(until: 900)
    world.wallOffset = 2000
    world.clockChanged()
    world.run()
    #expect(world.core.numbered.map(\.number) == (1...200).reversed())
  }

  /// From before a timer is due, at 100, until it has fired.
  private static let moments = 95...112 as ClosedRange<UInt64>

  /// Begins a batch a millisecond before a moment, so that a call at that moment waits.
  private func beginBatch(_ world: ClockedWorld, before moment: UInt64) {
    world.run(until: moment - 1)
    world.call(AddNote(), key: 8)
    world.run(until: moment)
  }

  @Test("one that is set anew fires once, as it was set last", arguments: moments)
  func setAnew(at moment: UInt64) throws {
    for wait in [0, 1, 50] as [Int64] {
      for isInMemory in [false, true] {
        let world = try ClockedWorld()
        world.note(1, in: 100, item: 9, isBlind: true)
        beginBatch(world, before: moment)
        let due = world.clock + wait
        world.note(2, in: wait, item: 9, isBlind: true, isInMemory: isInMemory)
        world.run()
        let hadFired = world.core.numberedCounts[1] == 1
        #expect(world.core.numbered.map(\.number) == (hadFired ? [1, 2] : [2]))
        #expect(hadFired ? moment >= 100 : moment <= 104)
        let late = try #require(world.core.numbered.last).time - due
        #expect((0...50).contains(late), "\(late) ms")
        #expect(try world.notes.count == world.core.numbered.count && world.timerCount == 0)
        #expect(world.engine.pendingTimerCount == 0 && world.engine.refusedTimerCount == 0)
      }
    }
  }

  @Test("one that is cancelled does not fire, whatever was under way", arguments: moments)
  func cancelled(at moment: UInt64) throws {
    let world = try ClockedWorld()
    world.note(1, in: 100, isBlind: true)
    beginBatch(world, before: moment)
    world.cancel(1)
    world.run()
    let hadFired = world.core.numberedCounts[1] == 1
    #expect(world.core.numbered.count == (hadFired ? 1 : 0))
    #expect(hadFired ? moment >= 100 : moment <= 104)
    #expect(try world.timerCount == 0 && world.engine.pendingTimerCount == 0)
    #expect(world.engine.refusedTimerCount == 0)
  }
}
