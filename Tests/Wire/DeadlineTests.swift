import Testing
import Wire

/// The time that is left of a request, in its encoded body.
struct DeadlineTests {
  private func limited(_ deadline: UInt32, to left: UInt32) throws -> UInt32 {
    var envelope = ServiceEnvelope()
    envelope.traceID = TraceID(high: 1, low: .max)
    envelope.deadlineMilliseconds = deadline
    envelope.idempotency.instance = .max
    var body = Enveloped.join(envelope, [7, 8])
    Enveloped.limitDeadline(of: &body, toMilliseconds: left)
    let (read, operation) = try unsafe Enveloped.split(ServiceEnvelope.self, body.span.bytes)
    envelope.deadlineMilliseconds = read.deadlineMilliseconds
    #expect(read == envelope && operation == [7, 8], "nothing else is changed")
    return read.deadlineMilliseconds
  }

  @Test func itIsLoweredAndNeverRaised() throws {
    #expect(try limited(0x0403_0201, to: 0x0102_0304) == 0x0102_0304)
    #expect(try limited(10_000, to: 9_999) == 9_999)
    #expect(try limited(500, to: 9_999) == 500)
    #expect(try limited(10_000, to: 0) == 1, "0 would be no deadline")
  }

  @Test func aRequestWithoutADeadlineGetsNone() throws {
    #expect(try limited(0, to: 1_000) == 0)
  }

  @Test func aClientsRequestHasItAtTheSamePlace() throws {
    var envelope = ClientEnvelope()
    envelope.deadlineMilliseconds = 10_000
    var body = Enveloped.join(envelope, [])
    Enveloped.limitDeadline(of: &body, toMilliseconds: 3)
    envelope.deadlineMilliseconds = 3
    #expect(body == Enveloped.join(envelope, []))
  }

  @Test func aBodyWithoutRoomForItStaysAsItIs() {
    for count in 0..<16 {
      var body = [UInt8](repeating: 255, count: count)
      Enveloped.limitDeadline(of: &body, toMilliseconds: 1)
      #expect(body == [UInt8](repeating: 255, count: count))
    }
  }
}
