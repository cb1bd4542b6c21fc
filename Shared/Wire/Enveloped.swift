/// The body of a frame between an envelope and an operation: `UInt32 length | envelope | operation`.
public enum Enveloped {
  /// The bytes of a frame's body.
  @inlinable
  public static func join<E: Message>(_ envelope: E, _ operation: [UInt8]) -> [UInt8] {
    var writer = Writer(capacity: 96 + operation.count)
    envelope.encode(to: &writer)
    writer.raw(operation)
    return writer.bytes
  }

  /// The envelope and the operation's own bytes.
  @inlinable
  public static func split<E: Message>(_ type: E.Type, _ body: RawSpan) throws(WireError) -> (
    envelope: E, operation: [UInt8]
  ) {
    var envelope = E()
    var operation: [UInt8] = []
    let fault = unsafe body.withUnsafeBytes { buffer in
      var reader = unsafe Reader(buffer)
      envelope = E.decode(from: &reader)
      operation = reader.rest()
      return reader.error
    }
    if let fault { throw fault }
    return (envelope, operation)
  }
}
