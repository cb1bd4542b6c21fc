public import Wire

/// How a push travels to its clients.
public enum PushLane: Hashable, Sendable {
  /// After the pushes before it on the same connection, and never without them: a client that does
  /// not keep up loses its connection in the end.
  case ordered
  /// Live data that the next piece makes worthless. Where it has to wait for a slow connection, a
  /// newer push with the same key takes its place, and pushes with too many different keys push
  /// out the oldest. It delays no ordered push, and closes no connection.
  case newest(UInt64)

  /// - Parameters:
  ///   - stream: what the data is of, such as a context.
  ///   - place: whose it is there: each has one piece that waits.
  public static func newest<Kind>(_ stream: Identifier<Kind>, _ place: UInt64) -> PushLane {
    // Each part is multiplied by an odd number before the next one comes to it. Two streams with
    // one key would cost each other pieces that may be dropped anyway.
    var key: UInt64 = 0
    for part in [stream.high, stream.low, place] {
      key = (key ^ part) &* 0x9e37_79b9_7f4a_7c15
      key ^= key >> 29
    }
    return .newest(key)
  }
}

/// An event for connected clients. It is lost to those who are gone.
///
/// It is one value, and its body is encoded once, however many clients get it.
public struct Push: Equatable, Sendable {
  public var channels: [Channel]
  public var opcode: UInt16
  public var lane: PushLane
  public var body: [UInt8]
  /// That of the command that has made it.
  public var trace: TraceID

  public init(
    channels: [Channel], opcode: UInt16, lane: PushLane = .ordered, body: [UInt8],
    trace: TraceID = TraceID()
  ) {
    self.channels = channels
    self.opcode = opcode
    self.lane = lane
    self.body = body
    self.trace = trace
  }

  /// The only channel of a push to one client.
  public var channel: Channel {
    precondition(channels.count == 1, "a push is to \(channels.count) channels")
    return channels[0]
  }

  /// The push as one to each of its clients.
  public var single: [Push] {
    if channels.count == 1 { return [self] }
    return channels.map {
      Push(channels: [$0], opcode: opcode, lane: lane, body: body, trace: trace)
    }
  }
}
