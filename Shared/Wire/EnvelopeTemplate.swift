/// The envelope of all calls with live data of one session. They differ in four fields of fixed
/// size, so the rest is written once and these are filled in: a fiftieth of the work.
public struct EnvelopeTemplate: Sendable {
  public private(set) var bytes: [UInt8]
  private let keyOffset: Int
  /// Of the high half of the trace, the last field.
  private let traceHighOffset: Int

  /// After the length.
  private static var traceOffset: Int { 4 }
  private static var deadlineOffset: Int { Enveloped.deadlineOffset }
  private static var principalOffset: Int { deadlineOffset + 4 + 3 * 8 }

  /// - Parameter envelope: who calls, and with which session.
  public init(_ envelope: ServiceEnvelope) {
    var writer = Writer(capacity: 160)
    envelope.encode(to: &writer)
    bytes = writer.bytes
    var principal = Writer(capacity: 80)
    envelope.principal.encode(to: &principal)
    keyOffset = Self.principalOffset + principal.bytes.count
    traceHighOffset = bytes.count - 8
    precondition(keyOffset + 16 <= traceHighOffset, "the fields of the envelope have moved")
  }

  /// Makes it the envelope of one call.
  public mutating func fill(
    trace: TraceID, deadlineMilliseconds: UInt32, routingKey: RoutingKey
  ) {
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(
        of: trace.low.bigEndian, toByteOffset: Self.traceOffset, as: UInt64.self)
      unsafe bytes.storeBytes(
        of: trace.high.bigEndian, toByteOffset: traceHighOffset, as: UInt64.self)
      unsafe bytes.storeBytes(
        of: deadlineMilliseconds.bigEndian, toByteOffset: Self.deadlineOffset, as: UInt32.self)
      unsafe bytes.storeBytes(
        of: routingKey.high.bigEndian, toByteOffset: keyOffset, as: UInt64.self)
      unsafe bytes.storeBytes(
        of: routingKey.low.bigEndian, toByteOffset: keyOffset + 8, as: UInt64.self)
    }
  }
}
