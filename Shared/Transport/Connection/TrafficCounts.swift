/// Bytes of frames that connections have read and sent, before they are encrypted.
public struct TrafficCounts: Sendable {
  public internal(set) var readBytes: UInt64 = 0
  public internal(set) var sentBytes: UInt64 = 0

  public init() {}
}
