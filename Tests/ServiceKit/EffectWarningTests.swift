import Domain
import Testing
import Wire

@testable import ServiceKit

@Suite struct EffectWarningTests {
  @Test("each event of a destination has a pace of its own, and says how many were kept back")
  func paces() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let world = StillWorld(level: .warning)
        world.isAlone = false
        var forward = Forward()
        (forward.count, forward.isSpread) = (8, true)
        world.call(forward) { _ in }
        try world.commitAndRead()
        precondition(world.calls.count == 8, "the keys are of one lane each")
        func fail(_ code: FailureCode, argument: String = "") {
          world.calls.removeFirst().done(.failure(Failure(code, argument: argument, "No.")))
        }
        for time in [0, 1, EffectDispatcher<StillWorld>.warningMilliseconds] {
          world.microseconds = time * 1000
          fail(.unknownOperation)
          fail(.outOfOrder, argument: "store")
        }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains(" warning test effects: ") }
    let (unknown, back) = (
      "effects wait for a newer version of their receiver",
      "the store has gone back to an earlier state and is not marked"
    )
    #expect(lines.count == 4, "\(text)")
    for (line, (event, count)) in zip(lines, [(unknown, 0), (back, 0), (unknown, 1), (back, 1)]) {
      #expect(line.contains(event) && line.hasSuffix(" kept_back=\(count)"), "\(line)")
    }
  }
}
