import Domain
import Testing
import Wire

@testable import ServiceKit

/// Why calls are refused when there is too much to do.
@Suite struct BackpressureTests {
  private let world = StillWorld()

  private func refused(_ cause: BackpressureCause) -> UInt64 {
    zip(BackpressureCause.allCases, world.runner.measures.refusedCounts)
      .first { $0.0 == cause }?.1 ?? 0
  }

  @Test("each cause has a sentence of its own, by which it is known again at the other end")
  func sentences() throws {
    #expect(Set(BackpressureCause.allCases.map(\.text)).count == BackpressureCause.allCases.count)
    for cause in BackpressureCause.allCases {
      let failure = Failure.backpressure(cause, argument: "date", retryAfterMilliseconds: 5)
      let received = try Failure(decoding: failure.encoded)
      #expect(received.backpressureCause == cause && received.code == .backpressure)
      #expect(Failure(.unavailable, cause.text).backpressureCause == nil)
    }
  }

  @Test("calls that are held past their bound are counted, and those who ask are told")
  func heldCalls() throws {
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.routingKey = RoutingKey(high: 0, low: 7)
    let large = Request(
      opcode: Forward.opcode, envelope: envelope,
      body: Forward().encoded + [UInt8](repeating: 0, count: 1 << 20))
    for _ in 0..<HeldCalls.bytesMax >> 20 { world.runner.submit(large) { _ in } }
    var causes: [BackpressureCause?] = []
    for _ in 1...2 {
      world.runner.submit(large) {
        if case .failure(let failure) = $0 { causes.append(failure.backpressureCause) }
      }
    }
    #expect(causes == [.heldCalls, .heldCalls] && refused(.heldCalls) == 2)
    #expect(world.runner.heldCount == HeldCalls.bytesMax >> 20 && world.runner.heldBytes > 0)
    try world.commit()
    #expect(world.runner.heldCount == 0 && world.runner.heldBytes == 0)
  }

  @Test("answers that wait for a stuck disk past their bound are counted")
  func heldAnswers() {
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    for _ in 0..<CommitGate.outputsMax - 1 { world.call(CountNotes(), session: 2) { _ in } }
    world.call(CountNotes(), session: 2) { _ in }
    #expect(refused(.heldAnswers) == 1 && refused(.gatheredBytes) == 0)
  }

  @Test("what a handler refuses is counted by its cause, too")
  func handlers() throws {
    let measures = RunnerMeasures(Metrics(.service))
    measures.count(.failure(.backpressure(.unsortedHistory)))
    measures.count(.failure(Failure(.notFound, "None.")))
    measures.count(.reply([]))
    #expect(measures.refusedCounts.reduce(0, +) == 1)
  }

  @Test("the log has a line for each cause and minute, with how many there were since the last")
  func words() {
    var words = BackpressureWords()
    var counts = [UInt64](repeating: 0, count: BackpressureCause.allCases.count)
    var lines: [String] = []
    func look(_ now: UInt64) {
      words.look(counts, at: now) { lines.append("\($0) \($1)") }
    }
    look(0)
    counts[0] = 5
    look(10_000)
    counts[0] = 9
    counts[1] = 1
    look(20_000)
    look(69_999)
    look(70_000)
    look(200_000)
    let names = BackpressureCause.allCases.map(\.rawValue)
    #expect(lines == ["\(names[0]) 5", "\(names[1]) 1", "\(names[0]) 4"])
  }
}
