import Domain
import Foundation
import Testing
import Wire

@testable import ServiceKit

/// What cannot be served now comes again, and holds up nothing but itself.
@Suite struct TimerFailureTests {
  /// When one is tried again that goes on failing, in milliseconds after it is due.
  private static let retries: [Int64] = [0, 1, 3, 7, 15, 31, 63, 123, 183].map { $0 * 1000 }

  private func waits(_ tries: [Int64], due: Int64) -> [Int64] {
    // A try comes some milliseconds after its time.
    tries.map { ($0 - due) / 100 * 100 }
  }

  @Test("one that fails is tried ever less often, and the others are in time")
  func failsByItself() throws {
    let world = try ClockedWorld()
    world.core.refusals[1] = .unavailable
    world.note(1, in: 1000)
    for number in 2...100 as ClosedRange<UInt64> {
      world.note(number, in: 1000 + Int64(number), key: number)
    }
    world.run(until: 200_000)
    let late = world.core.numbered.map { $0.time - 1_001_000 - Int64($0.number) }
    #expect(late.count == 99 && late.allSatisfy { $0 <= 12 }, "\(late.max() ?? 0) ms")
    #expect(waits(world.core.tries, due: 1_001_000) == Self.retries)
    #expect(world.engine.retriedTimerCount == 9 && world.engine.refusedTimerCount == 0)
    world.core.refusals = [:]
    world.run()
    #expect(world.core.numbered.count == 100)
    #expect(try world.timerCount == 0)
  }

  @Test("one that is set anew after failures waits as if it were new")
  func setAnew() throws {
    let world = try ClockedWorld()
    world.core.refusals[1] = .unavailable
    world.note(1, in: 1000)
    world.run(until: 20_000)
    #expect(world.core.tries.count == 5)
    world.note(1, in: 0)
    world.run(until: 24_000)
    #expect(waits(Array(world.core.tries.dropFirst(5)), due: 1_020_000) == [0, 1000, 3000])
  }

  @Test("reads that fail lose no timer", arguments: [1, 7, 40])
  func failedReads(count: UInt64) throws {
    let world = try ClockedWorld()
    for number in 1...count { world.note(number, in: 1000, key: number % 3) }
    world.run(until: 999)
    world.isUnreadable = { _ in true }
    world.run(until: 5000)
    #expect(world.core.numbered.isEmpty)
    world.isUnreadable = { _ in false }
    world.run()
    #expect(Set(world.core.numbered.map(\.number)) == Set(1...count))
    #expect(try world.notes.count == Int(count) && world.timerCount == 0)
  }

  @Test("a row that cannot be read holds up its own timer alone")
  func unreadableRow() throws {
    let world = try ClockedWorld()
    for number in 1...64 as ClosedRange<UInt64> { world.note(number, in: 1000) }
    world.isUnreadable = { $0 == ClockedWorld.row(20) }
    world.run(until: 1999)
    #expect(world.core.numbered.map(\.number) == (1...64).filter { $0 != 20 })
    world.isUnreadable = { _ in false }
    world.run()
    #expect(world.core.numbered.last?.number == 20)
  }

  @Test("a timer that goes on failing is logged as a warning once")
  func warning() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let world = try ClockedWorld(level: .debug)
        world.core.refusals[1] = .unavailable
        world.note(1, in: 1000)
        world.run(until: 20_000)
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("timer waits") }
    #expect(lines.count == 5 && lines.count { $0.contains(" warning ") } == 1)
    #expect(lines.first?.contains(" warning ") == true)
  }
}
