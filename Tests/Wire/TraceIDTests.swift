import Testing
import Wire

/// What names a call in all logs: its text, and where it is in the envelopes.
struct TraceIDTests {
  private let trace = TraceID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0fff)

  @Test func textIsThatOfATraceContext() {
    #expect(trace.description == "0102030405060708090a0b0c0d0e0fff")
    #expect(TraceID(trace.description) == trace)
    #expect(TraceID("0102030405060708090A0B0C0D0E0FFF") == trace)
    #expect(TraceID().description == String(repeating: "0", count: 32))
    #expect(TraceID(high: 0, low: 0x12).description == "00000000000000000000000000000012")
    #expect(TraceID().isNil && !TraceID(high: 0, low: 1).isNil && !TraceID(high: 1, low: 0).isNil)
  }

  @Test(
    arguments: [
      "", "0102030405060708090a0b0c0d0e0ff", "0102030405060708090a0b0c0d0e0fff0",
      "g102030405060708090a0b0c0d0e0fff", "+102030405060708090a0b0c0d0e0fff",
      "0102030405060708 90a0b0c0d0e0fff", "0102030405060708090a0b0c0d0e0f\u{e9}",
    ])
  func otherTextsAreNone(_ text: String) { #expect(TraceID(text) == nil) }

  @Test func bytesAreAsWritten() throws {
    let bytes = (1...15).map { UInt8($0) } + [0xff]
    #expect(encoded(trace) == bytes)
    #expect(try decoded(bytes) == trace)
    #expect(TraceID(cell: trace.cell) == trace && trace.cell == .blob(bytes))
  }

  /// The first field was all of it, and clients in other languages write no more.
  @Test func aTraceOf64BitsIsItsLowHalf() throws {
    var envelope = ClientEnvelope()
    envelope.traceID = trace
    let bytes = envelope.encoded
    #expect(bytes.count == 44)
    #expect(Array(bytes[..<8]) == encoded(trace.low) && Array(bytes[36...]) == encoded(trace.high))
    #expect(try ClientEnvelope(decoding: bytes).traceID == trace)
    let older = try ClientEnvelope(decoding: Array(bytes[..<36]))
    #expect(older.traceID == TraceID(high: 0, low: trace.low))
  }

  @Test func anOlderServiceReadsTheLowHalf() throws {
    var envelope = ServiceEnvelope()
    envelope.traceID = trace
    envelope.session = 5
    let bytes = envelope.encoded
    #expect(try ServiceEnvelope(decoding: bytes) == envelope)
    let older = try ServiceEnvelope(decoding: Array(bytes.dropLast(8)))
    #expect(older.traceID == TraceID(high: 0, low: trace.low) && older.session == 5)
  }

  @Test func aTemplateHasBothHalves() throws {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .player, game: "demo", player: PlayerID(high: 1, low: 2), device: DeviceID())
    envelope.session = 9
    var template = EnvelopeTemplate(envelope)
    for (trace, deadline) in [(trace, UInt32(300)), (TraceID(high: 7, low: 8), 10)] {
      let key = RoutingKey(high: 5, low: UInt64(deadline))
      template.fill(trace: trace, deadlineMilliseconds: deadline, routingKey: key)
      envelope.traceID = trace
      (envelope.deadlineMilliseconds, envelope.routingKey) = (deadline, key)
      #expect(template.bytes == encoded(envelope))
    }
  }

  @Test func aSourceRepeatsNothing() {
    var source = TraceSource(high: 1, low: 2)
    var other = TraceSource(high: 1, low: 3)
    let drawn = (0..<1000).map { _ in source.next() } + (0..<1000).map { _ in other.next() }
    #expect(Set(drawn).count == 2000 && !drawn.contains { $0.isNil })
    var again = TraceSource(high: 1, low: 2)
    #expect(again.next() == drawn[0])
  }
}
