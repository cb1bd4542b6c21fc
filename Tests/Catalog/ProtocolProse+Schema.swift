/// The form of `protocol.json`.
extension ProtocolProse {
  static let schema = """
    ## The same for programs

    `protocol.json` has the members:

    - `protocol`, the ALPN name; `frameVersion`; `frameHeaderBytes`, with the length field; `frameKinds` and
      `services`, which count from 0: as in "Frames".
    - `limits`: those of the first table of "Limits", as they are where an operator has changed nothing, and
      `receivedFrameBytesMax`, the largest frame that a client must take.
    - `failures`: each with `number`, `name` and `remedy`, as in "Errors and what to do".
    - `types`: every identifier, enumeration and message by its name: those of fields, those of replies that
      several operations share, `ClientEnvelope`, `Failure` and `StreamEnds`. A name that is not there is
      one of the plain types of "Values". An identifier has `identifier`, its count of bytes; an enumeration
      has `values`, its names from 0; a message has `fields`, in order, and `frozen` where it has no count.
      Each of the `fields` has a `name` and a `type`: a name, `{"optional": type}` or `{"list": type}`. A
      `default` is there where it is not 0, false, empty, absent, the nil identifier, the first value or a
      message of defaults; that of an enumeration is a name.
    - `operations`: each with `name`, `opcode`, the `callers` that may call it (`anonymous` is who has not signed in),
      its `fields`, and the `reply`, which has `fields` or is the name of a type. `key` is `none`, `needed`, or
      `runsAgain` where a key is needed and a repeated call runs again all the same. `changesSession` is there
      where the call waits for all before it, and those after it wait ("Order").
    - `events`: each with `name`, `opcode`, `fields`, and the `way` in which it comes: `push`, as an event
      frame; `stream`, inside a `StreamEvent`; `hint`, inside a `HintEvent`.
    - `examples`: those of "Examples in bytes": a `title`, the frame's `kind`, `opcode` and `correlation`, the
      `envelope` of a request, the `value` of the message (a `Failure` where the kind is an error, none for a
      ping), the event in a `StreamEvent` as `inner`, and the frame's bytes, `hex`. In them `Bytes` are
      hexadecimal, identifiers are text as in "Values", and values of enumerations are names.

    """
}
