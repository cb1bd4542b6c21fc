/// The form of `protocol.json`.
extension ProtocolProse {
  static let schema = """
    ## The same for programs

    `protocol.json` has the members:

    - `protocol`, the ALPN name; `frameVersion`, `frameHeaderBytes`, `frameKinds` and `services` (the last two
      count from 0): as in "Frames".
    - `limits`: as in "Limits", where an operator has changed nothing, and `receivedFrameBytesMax`, the largest
      frame that a client must take.
    - `failures`: each with `number`, `name` and `remedy`, as in "Errors and what to do".
    - `types`: every type of a field that is not in the table of "Values", by its name. Of an `identifier` there
      is its count of bytes; of an enumeration the `values`, from 0; of a message the `fields` in order, and
      `frozen` where it has no count.
    - A field has a `name` and a `type`: a name, `{"optional": type}` or `{"list": type}`. Its `default` is
      there where it is not the one of "How messages grow".
    - `operations`: each with `name` and `opcode`, the `callers` that may call it, its `fields`, and the `reply`,
      which has `fields` or is the name of a type. `key` is `none`, `needed`, or `runsAgain` where a key is
      needed and a repeated call runs again all the same. `changesSession` is there where the call waits for
      all before it, and those after it wait ("Order").
    - `events`: each with the `way` in which it comes: `push`, as an event frame; `stream`, inside a
      `StreamEvent`; `hint`, inside a `HintEvent`.
    - `examples`: those of "Examples in bytes": a `title`, the frame's `kind`, `opcode` and `correlation`, the
      `envelope` of a request, the `value` of the message, that of the event in a `StreamEvent` as `inner`, and the frame's
      bytes, `hex`. `Bytes` are hexadecimal there, and identifiers are text as in "Values".

    """
}
