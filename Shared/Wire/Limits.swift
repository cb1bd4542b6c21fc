/// Sizes on which both ends of a connection agree. Raising one changes the protocol.
public enum WireLimits {
  /// Bytes of a frame's header: length, version, kind, opcode, correlation.
  public static let frameHeaderSize = 12
  /// Bytes of the header after the length field; the length field counts these and the body.
  public static let frameHeaderSizeAfterLength = frameHeaderSize - 4
  /// Bytes of the largest frame between Muster's own processes: it bounds what one peer can make
  /// another one buffer.
  public static let frameSizeMax = 1 << 20
  /// Bytes of the largest frame that a game client may send. A client is a stranger, so it gets a
  /// sixteenth.
  public static let clientFrameSizeMax = 64 << 10
  /// The version of the frame layout, in every frame.
  public static let version: UInt8 = 1
  /// The answers to one client that a process remembers above the client's floor: as many as it may
  /// have open calls.
  public static let answersMax = 64
  /// How long after a client's last call a process remembers the answers, at least: as long as a
  /// session can be resumed by a token.
  public static let answersKeptMilliseconds: Int64 = 6 * 3600 * 1000
  /// How far the counter of a key may be beyond the newest one that the process has seen. One
  /// counter serves all processes, so that each sees jumps; but after a jump to the greatest number
  /// there would be none left.
  public static let counterJumpMax: UInt64 = 1 << 32
}
