import Wire

/// The parts of `protocol.md` that no field list holds.
enum ProtocolProse {
  static let frames = """
    # The protocol of Muster

    <!-- Written by `swift run muster-protocol`; a test keeps it equal to the sources. -->

    Clients speak to a gateway over one TLS 1.3 connection with the ALPN name `muster/1`. Both sides send
    frames; all integers are big-endian.

    ## Frames

    | offset | type | field | |
    | --- | --- | --- | --- |
    | 0 | `UInt32` | length | of everything behind this field: 8 plus the size of the body |
    | 4 | `UInt8` | version | \(WireLimits.version) |
    | 5 | `UInt8` | kind | 0 request, 1 reply, 2 error, 3 event, 4 ping |
    | 6 | `UInt16` | opcode | of the operation or event; its high byte is the service |
    | 8 | `UInt32` | correlation | chosen by whoever asks, unique among the open requests |
    | \(WireLimits.frameHeaderSize) | | body | |

    A request is answered by exactly one reply or error with its opcode and correlation; answers may come
    in another order than the requests. An event has correlation 0. A ping with a correlation other than 0
    is answered by one with correlation 0, which is not answered. A client may send frames of up to
    \(WireLimits.clientFrameSizeMax) bytes and must take frames of up to \(WireLimits.frameSizeMax) bytes,
    header included. After a length below 8 or over the limit, another version or an unknown kind, framing
    is lost and the connection is closed.

    Services, the high byte of an opcode: \
    \(Service.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")).

    """

  static let values = """
    ## Values

    """

  static let growth = """
    ## How messages grow

    Fields are only ever appended, also to messages within messages. When the bytes of a message end between
    two fields, the missing ones have their defaults: 0, false, empty, absent, or what their line says.
    Bytes behind the last field that you know are skipped. Values of an enumeration that you do not know are
    kept as they are. Opcodes and error numbers are never used again for something else. A count that is
    larger than the bytes left in the message is malformed, and nothing may be allocated by it.

    """

  static let session = """
    ## From connecting to playing

    1. `SignUp` once per device: keep player, device and secret.
    2. `SignIn` with them and the game. The reply has the session's token and the end of the event stream.
    3. Call. Events come on the same connection.
    4. When the connection is lost: connect to any gateway, `Resume` with the token and the sequence number
       of the last `StreamEvent` seen, and repeat the open calls with their idempotency keys.

    """
}
