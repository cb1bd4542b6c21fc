import Operations
import Wire

/// One call and its answers, byte by byte, made by the real encoder.
enum WorkedExample {
  static var text: String {
    """
    ## An example

    `Echo` of the two bytes `hi`, correlation 7, with two seconds of time:

    ```
    \(request)
    ```

    The reply:

    ```
    \(reply)
    ```

    Instead, had the gateway been overloaded:

    ```
    \(refusal)
    ```

    """
  }

  private static let header = FrameHeader(
    kind: .request, opcode: Echo.opcode.rawValue, correlation: 7)

  private static var request: String {
    var envelope = ClientEnvelope()
    envelope.trace = 0x1234
    envelope.deadlineMilliseconds = 2000
    var echo = Echo()
    echo.payload = Bytes(Array("hi".utf8))
    return annotated(
      header.frame(body: Enveloped.join(envelope, echo.encoded)),
      headerNotes + [
        (4, "36 bytes of envelope"), (8, "trace"), (4, "deadlineMilliseconds 2000"),
        (8, "idempotency: instance"), (8, "counter 0, no key"), (8, "floor"),
        (4, "payload: 2 bytes"), (2, "\"hi\""),
      ])
  }

  private static var reply: String {
    var reply = Echo.Reply()
    reply.payload = Bytes(Array("hi".utf8))
    var header = header
    header.kind = .reply
    return annotated(
      header.frame(body: reply.encoded), headerNotes + [(4, "payload: 2 bytes"), (2, "\"hi\"")])
  }

  private static var refusal: String {
    var header = header
    header.kind = .error
    let failure = Failure(.rateLimited, "Slow down.", retryAfterMilliseconds: 500)
    return annotated(
      header.frame(body: failure.encoded),
      headerNotes + [
        (1, "code 7, rateLimited"), (4, "argument: empty"), (4, "text: 10 bytes"),
        (10, "\"Slow down.\""), (4, "retryAfterMilliseconds 500"), (4, "detail: empty"),
      ])
  }

  private static let headerNotes = [
    (4, "length"), (1, "version"), (1, "kind"), (2, "opcode"), (4, "correlation"),
  ]

  /// Hex bytes in pieces, a note behind each; traps when the pieces are not the whole.
  private static func annotated(_ bytes: [UInt8], _ notes: [(count: Int, note: String)]) -> String {
    precondition(notes.map(\.count).reduce(0, +) == bytes.count, "the example is described wrongly")
    var rest = bytes[...]
    return notes.map { count, note in
      let hex = rest.prefix(count).map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined(separator: " ")
      rest = rest.dropFirst(count)
      return hex + String(repeating: " ", count: max(1, 32 - hex.count)) + note
    }.joined(separator: "\n")
  }
}
