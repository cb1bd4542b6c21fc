public import Wire

/// How a push travels to its clients.
public enum PushLane: Hashable, Sendable {
  /// After the pushes before it on the same connection, and never without them.
  case ordered
  /// Live data that the next piece with the same key makes worthless.
  case newest(UInt64)

  /// - Parameters:
  ///   - stream: what the data is of, such as a context.
  ///   - place: whose it is there: each has one piece that waits.
  public static func newest<Kind>(_ stream: Identifier<Kind>, _ place: UInt64) -> PushLane {
    // An identifier cannot be chosen by a client, so a plain mixture will do.
    var key = stream.high ^ (stream.low &* 0x9e37_79b9_7f4a_7c15)
    key = (key ^ (place &+ 1)) &* 0xff51_afd7_ed55_8ccd
    return .newest(key ^ key >> 32)
  }
}
