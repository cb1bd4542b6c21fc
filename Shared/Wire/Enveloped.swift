/// The body of a frame between an envelope and an operation: `UInt32 length | envelope |
/// operation`.
public enum Enveloped {
  /// The bytes of a frame's body.
  @inlinable
  public static func join<E: Message>(_ envelope: E, _ operation: [UInt8]) -> [UInt8] {
    var writer = Writer(capacity: 96 + operation.count)
    envelope.encode(to: &writer)
    writer.raw(operation)
    return writer.bytes
  }

  /// The envelope and a copy of the operation's own bytes.
  @inlinable
  public static func split<E: Message>(_ type: E.Type, _ body: RawSpan) throws(WireError) -> (
    envelope: E, operation: [UInt8]
  ) {
    let (envelope, size) = try envelope(type, of: body)
    return (envelope, [UInt8](copying: body.extracting(droppingFirst: size)))
  }

  /// The envelope and the number of bytes that it takes. Those after it are the operation's.
  @inlinable
  public static func envelope<E: Message>(_ type: E.Type, of body: RawSpan) throws(WireError) -> (
    envelope: E, size: Int
  ) {
    try Reader.read(body) { (E.decode(from: &$0), $0.position) }.get()
  }
}
