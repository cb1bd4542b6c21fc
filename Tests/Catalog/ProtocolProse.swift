import Domain
import Operations
import Wire

/// The parts of `protocol.md` that no field list holds: bytes.
enum ProtocolProse {
  static let connecting = """
    # The protocol of Muster

    <!-- Written by `swift run muster-protocol`; a test keeps it equal to the sources. -->

    This page is for whoever writes a client in another language. `protocol.json` beside it has the same
    field lists, numbers and limits for programs.

    ## Connecting

    A client has a TLS 1.3 connection to a gateway, with the ALPN name `muster/1` and without early data.
    The gateway's certificate must carry the name or the IP address to which the client connects, among its
    subject alternative names. The client must trust the authority that signed it: one of the system's, or
    the deployment's own, which is in `authority.pem`. A certificate for development carries `localhost`,
    `127.0.0.1` and `::1`. The client sends what it connects to as the server's name (SNI) where that is a
    name, and sends none where it is an address. Without an ALPN name the connection is closed after the
    handshake; with other names alone the handshake fails, by an alert (no application protocol).

    """

  static let frames = """
    ## Frames

    Both sides send frames. All integers are big-endian.

    | offset | type | field | |
    | --- | --- | --- | --- |
    | 0 | `UInt32` | length | of everything behind this field: 8 plus the size of the body |
    | 4 | `UInt8` | version | \(WireLimits.version) |
    | 5 | `UInt8` | kind | 0 request, 1 reply, 2 error, 3 event, 4 ping |
    | 6 | `UInt16` | opcode | of the operation or event; its high byte is the service |
    | 8 | `UInt32` | correlation | chosen by whoever asks: not 0, and unique among the open requests |
    | \(WireLimits.frameHeaderSize) | | body | |

    A request is answered by exactly one reply or error with its opcode and correlation. Answers may come in
    another order than the requests. The server only repeats a correlation: a request with 0 is answered with
    0, and two open ones with the same are both answered. An event has correlation 0. A ping with another
    correlation than 0 is answered by a ping with opcode and correlation 0, which is not answered. The server
    skips frames of a client that are neither requests nor pings.

    A client may send frames of up to \(WireLimits.clientFrameSizeMax) bytes and must take frames of up to \
    \(WireLimits.frameSizeMax) bytes, header included.
    Framing is lost after a length below 8 or over the limit, another version or an unknown kind. The server
    then sends an error frame with opcode 0 and correlation 0, whose code is `malformed`, and closes the
    connection. A request whose body cannot be read is refused with `malformed`, or with what is
    found wrong before the body is read, such as `notFound`. It did nothing: the connection goes on, and the
    counter of its key is free.

    Services, the high byte of an opcode: \
    \(Service.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")).

    """

  static let values = """
    ## Values

    | type | bytes |
    | --- | --- |
    | `UInt8` `UInt16` `UInt32` `UInt64` | 1, 2, 4 or 8 bytes |
    | `Int32` `Int64` | 4 or 8 bytes, two's complement |
    | `Bool` | one byte, 0 or 1; anything else is malformed |
    | `Double` | 8 bytes, IEEE 754 |
    | `String` | `UInt32` count of bytes, then UTF-8; invalid UTF-8 is malformed |
    | `Bytes` | `UInt32` count, then the bytes |
    | `PlayerID`, `RoutingKey` and other identifiers | 16 bytes; all 0 is the nil identifier, for none |
    | an enumeration | one byte; keep values that you do not know |
    | `T?` | one byte: 0, or 1 and then the value |
    | `[T]` | `UInt32` count of elements, then the elements |
    | a message | `UInt32` count of bytes, then its fields in order |
    | a frozen message | its fields in order, no count |

    As text an identifier is 26 characters of `0123456789abcdefghjkmnpqrstvwxyz`, five bits each, most
    significant first; the first character is at most `7`. Letters are lower-case, and nothing else is taken.

    """

  static let growth = """
    ## How messages grow

    Fields are only ever appended, also to messages within messages. When the bytes of a message end between
    two fields, the missing ones have their defaults: 0, false, empty, absent, the nil identifier, an
    enumeration's first value, a message of defaults, or what their line says. Bytes behind the last field that you know are skipped. Values of an enumeration
    that you do not know are kept as they are. Opcodes and error numbers are never used again for something
    else. A count that is larger than the bytes left in the message is malformed, and nothing may be
    allocated by it.

    """

  static let keys = """
    ## Keys and repeated calls

    An operation's line says whether it needs an idempotency key. A call of such a one without a key is
    refused with `requiredArgument` (idempotency); with any other operation a key means nothing. A key is a
    `counter`: the client counts its calls with a key from 1, for all services together, from the `SignIn` that
    began the session. After `Resume` it goes on counting.

    To repeat a call, on this connection or after `Resume` on another, the client sends the same counter and
    the same bytes of the operation. The call runs once, and each repetition gets the answer of the first
    run. Of the envelope, `deadlineMilliseconds` and `floor` may differ. The trace may differ too, but then
    the logs of the call do not join. A field of the operation that is left out
    at the end and the same field with its default are different bytes.

    `trace` and `traceHigh` are the halves of a number of 128 bits that names the call in the logs of the
    deployment, as a `trace-id` of W3C's Trace Context does: 32 hexadecimal digits, the high half first. A client
    draws one at random for each call and sends it again with each repetition. It writes it down with a call that
    has failed, and shows it to whoever may report that: with it an operator finds every line about the call, by
    `muster trace ID`. A client that sends `trace` alone has one of 64 bits, and one that sends 0 gets one from
    the gateway, which it is not told.

    The process that ran a call remembers its answer until the client's `floor` passes the counter, the
    client signs out, or it was silent for \(WireLimits.answersKeptMilliseconds / 3_600_000) hours. For one player it remembers at most \(AnswerBounds().perOwnerMax)
    answers and \(AnswerBounds().bytesPerOwnerMax >> 20) MiB of them: past that it forgets all answers to the sessions that were silent
    for longest. `floor` is the lowest counter that the client may still
    repeat: that of its oldest call that has no reply yet and that it has not given up, else that of the call
    itself. A call that was refused and will be repeated (`repeatCall`, `wait`, `raiseFloor`) counts as
    having no reply. The floor is at most `counter`,
    and 0 counts as 1. A counter may be up to \(WireLimits.counterJumpMax) above the largest one that the service has seen in
    the session. Otherwise the call is refused with `invalidArgument` (floor, counter).

    A refusal is not remembered, because it changed nothing: the same counter may then carry another call. A
    counter below the floor is refused with `staleKey`. In a session whose answers were forgotten, every
    counter up to the newest answered one is refused so too. A counter that ran with other bytes is refused with
    `keyReused`, but only where both calls run at the same process, so a client must not rely on it. With
    \(WireLimits.answersMax) answers at or above the floor, or \(AnswerBounds().bytesPerOwnerMax >> 20) MiB of them, the next call is refused with `floorTooLow`.

    The server ignores `idempotency.instance`. A game server or an operator names itself at its sign-in by a
    random number, `client`. With the same number it may repeat its calls on another connection, and goes on
    counting; without one its calls cannot be repeated once the connection is lost.

    """
}
