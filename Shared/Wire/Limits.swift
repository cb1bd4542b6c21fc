/// Sizes that both ends of a connection agree on. Raising one is a change of protocol.
public enum WireLimits {
  /// Bytes of a frame's header: length, version, kind, opcode, correlation.
  public static let frameHeaderSize = 12
  /// Bytes of the header that the length field itself counts: all but the length field.
  public static let frameHeaderSizeAfterLength = frameHeaderSize - 4
  /// Largest frame between Muster's own processes: bounds what one peer can make another buffer.
  public static let frameSizeMax = 1 << 20
  /// Largest frame a game client may send: a client is a stranger, so it gets a sixteenth.
  public static let clientFrameSizeMax = 64 << 10
  /// The version of the frame layout, in every frame.
  public static let version: UInt8 = 1
}
