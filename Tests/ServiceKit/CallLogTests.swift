import Domain
import Testing
import Wire

@testable import ServiceKit

/// What a process logs of calls, and that what it sends on has the trace of the call.
@Suite struct CallLogTests {
  private static let trace = TraceID(high: 0xab, low: 0xcd)

  private func lines(_ result: ExitTest.Result) -> [Substring] {
    String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
  }

  @Test("with debug every call has a line, with its trace first")
  func everyCall() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let calls = CallLog(Log(source: "test", level: .debug))
        #expect(calls.hasAll && calls.isAbout(nil, microseconds: 0))
        let trace = TraceID(high: 0xab, low: 0xcd)
        calls.ended(trace, operation: "Add", peer: "gateway", nil, microseconds: 12, now: 1)
        let failure = Failure(.notFound, "None.")
        calls.ended(trace, operation: "Add", peer: "gateway", failure, microseconds: 13, now: 2)
      })
    let lines = lines(result)
    #expect(lines.count == 2)
    let text = "00000000000000ab00000000000000cd"
    #expect(
      lines[0].hasSuffix(
        " debug test: call trace=\(text) operation=Add peer=gateway microseconds=12"))
    #expect(
      lines[1].hasSuffix(
        " debug test: call failed trace=\(text) operation=Add peer=gateway "
          + "reason=\"notFound: None.\" microseconds=13"))
  }

  @Test("calls that fail through no fault of theirs, and slow ones, are warnings, at a pace")
  func warnings() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let calls = CallLog(Log(source: "test"))
        let lost = Failure(.unavailable, "Lost.")
        for number in 1...5 as ClosedRange<UInt64> {
          calls.ended(
            TraceID(high: 0, low: number), operation: "Add", peer: "context", lost,
            microseconds: 5, now: number)
        }
        calls.ended(
          TraceID(high: 0, low: 6), operation: "Add", peer: "context", nil,
          microseconds: CallLog.slowMicroseconds, now: 6)
        calls.ended(
          TraceID(high: 0, low: 7), operation: "Add", peer: "context", lost,
          microseconds: 5, now: CallLog.quietMilliseconds * 1000 + 1)
      })
    let lines = lines(result)
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains(" warning test: call ") })
    #expect(lines[0].contains(" call failed trace=") && lines[0].hasSuffix(" kept_back=0"))
    #expect(lines[1].contains(" call was slow trace=") && lines[1].contains("6 operation=Add "))
    #expect(lines[2].contains("7 operation=Add ") && lines[2].hasSuffix(" kept_back=4"))
  }

  @Test("calls whose client has gone are no warnings, at a pace of their own")
  func givenUp() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let calls = CallLog(Log(source: "test"))
        for number in 1...3 as ClosedRange<UInt64> {
          calls.givenUp(
            TraceID(high: 0, low: number), operation: "Add", peer: "context", microseconds: 5,
            now: number)
        }
        calls.ended(
          TraceID(high: 0, low: 4), operation: "Add", peer: "context",
          Failure(.unavailable, "Lost."), microseconds: 5, now: 4)
        calls.givenUp(
          TraceID(high: 0, low: 5), operation: "Add", peer: "context", microseconds: 5,
          now: CallLog.quietMilliseconds * 1000 + 1)
      })
    let lines = lines(result)
    try #require(lines.count == 3)
    #expect(lines[0].contains(" info test: call given up trace=00000000000000000000000000000001 "))
    #expect(lines[0].hasSuffix(" microseconds=5 kept_back=0"))
    #expect(lines[1].contains(" warning test: call failed ") && lines[1].hasSuffix("kept_back=0"))
    #expect(lines[2].contains("5 operation=Add ") && lines[2].hasSuffix(" kept_back=2"))
  }

  @Test(
    "what the caller is at fault for, and what limits are there for, is no warning",
    arguments: [
      FailureCode.notFound, .invalidArgument, .rateLimited, .backpressure, .outOfOrder,
      .factRequired, .conflict,
    ])
  func expected(_ code: FailureCode) {
    let calls = CallLog(Log(source: "test"))
    #expect(!calls.isAbout(Failure(code, ""), microseconds: CallLog.slowMicroseconds - 1))
    #expect(calls.isAbout(Failure(code, ""), microseconds: CallLog.slowMicroseconds))
    #expect(calls.isAbout(Failure(.unavailable, ""), microseconds: 0))
    #expect(!calls.isAbout(.leftOut(.context), microseconds: 0))
    #expect(!calls.isAbout(nil, microseconds: 0))
  }

  @Test("an effect and a hint of a call leave the process with its trace")
  func leaves() throws {
    let world = StillWorld()
    world.isAlone = false
    var forward = Forward()
    forward.count = 1
    world.call(forward, trace: Self.trace) { _ in }
    world.call(Whisper(), trace: Self.trace) { _ in }
    try world.commitAndRead()
    #expect(world.calls.count == 2)
    #expect(world.calls.allSatisfy { $0.request.envelope.traceID == Self.trace })
  }

  @Test("an effect that its receiver refuses is a warning with the trace of what has made it")
  func parked() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let world = StillWorld(level: .warning)
        world.isAlone = false
        var forward = Forward()
        forward.count = 1
        world.call(forward, trace: TraceID(high: 0xab, low: 0xcd)) { _ in }
        try world.commitAndRead()
        world.answer { _ in .failure(Failure(.notFound, "None.")) }
      })
    let lines = lines(result)
    #expect(lines.count == 1)
    #expect(
      lines.first?.contains(
        " warning test effects: effect parked trace=00000000000000ab00000000000000cd operation=")
        == true)
  }
}
