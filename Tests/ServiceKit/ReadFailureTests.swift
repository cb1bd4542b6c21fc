import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// A store of which a part cannot be read.
@Suite struct ReadFailureTests {
  @Test("each read that fails is counted, and one line a minute has its trace")
  func counted() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let world = StillWorld()
        world.readFailure = .corrupt("page 7")
        #expect(!world.runner.measures.isUnreadable(at: 0))
        for number in 1...3 as ClosedRange<UInt64> {
          var answers: [Answer] = []
          world.call(ReadNotes(), trace: TraceID(high: 0, low: number)) { answers.append($0) }
          try world.commitAndRead()
          #expect(answers == [.failure(Failure(.unavailable, "The store cannot be read."))])
        }
        // A call for which nobody waits any more shows the damage all the same.
        world.call(ReadNotes(), deadline: 5, trace: TraceID(high: 0, low: 4)) { _ in }
        try world.commit()
        world.microseconds = LogPace.quietMilliseconds * 1000
        try world.commitAndRead()
        let measures = world.runner.measures
        #expect(measures.readFailures.value == 4)
        let last = world.milliseconds
        #expect(measures.isUnreadable(at: last + RunnerMeasures.unreadableMilliseconds - 1))
        #expect(!measures.isUnreadable(at: last + RunnerMeasures.unreadableMilliseconds))
      })
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].contains("cold read failed trace=00000000000000000000000000000001 "))
    #expect(lines[0].contains(" operation=ReadNotes ") && lines[0].hasSuffix("kept_back=0"))
    #expect(lines[1].contains("0004 operation=") && lines[1].hasSuffix("kept_back=2"))
  }
}
