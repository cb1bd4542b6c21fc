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
}
