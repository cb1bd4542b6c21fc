import Operations
import Wire

/// `protocol.md`: the protocol as somebody needs it who writes a client in another language.
public struct ProtocolPage {
  private let sources: Sources

  public init() throws { sources = try Sources() }

  public var text: String {
    [
      ProtocolProse.frames, ProtocolProse.values, typeTable, ProtocolProse.growth, envelope,
      failures,
      WorkedExample.text, ProtocolProse.session, operations, events, types, between,
    ].joined(separator: "\n")
  }

  // MARK: Parts

  private var typeTable: String {
    """
    | type | bytes |
    | --- | --- |
    | `UInt8` `UInt16` `UInt32` `UInt64` | 1, 2, 4 or 8 bytes |
    | `Int32` `Int64` | 4 or 8 bytes, two's complement |
    | `Bool` | one byte, 0 or 1; anything else is malformed |
    | `Double` | 8 bytes, IEEE 754 |
    | `String` | `UInt32` count of bytes, then UTF-8; invalid UTF-8 is malformed |
    | `Bytes` | `UInt32` count, then the bytes |
    | `PlayerID`, `ContextID` and other identifiers | 16 bytes |
    | an enumeration | one byte; keep values that you do not know |
    | `T?` | one byte: 0, or 1 and then the value |
    | `[T]` | `UInt32` count of elements, then the elements |
    | a message | `UInt32` count of bytes, then its fields in order |
    | a frozen message | its fields in order, no count |

    As text an identifier is 26 characters of `0123456789abcdefghjkmnpqrstvwxyz`, five bits each, most
    significant first; the first character is at most `7`.

    """
  }

  private var envelope: String {
    """
    ## The envelope of a request

    The body of a request frame is a `ClientEnvelope`, with its count before it, and then the operation's
    fields without a count. The body of a reply is the reply's fields; of an event, the event's fields.

    \(fields(ClientEnvelope.self))
    `idempotency` is an `IdempotencyKey`, frozen:

    \(fields(IdempotencyKey.self))
    Every call that is not read-only needs a `counter`. To try a call again, on this connection or after
    `Resume` on another, send the same counter and the same body: it runs once and you get the answer of
    the first time. Below `floor` the server forgets; such a call is refused with `staleKey`, and another
    body under a used counter with `keyReused`. Leave at most \(WireLimits.answersMax) answers unacknowledged.

    """
  }

  private var failures: String {
    let rows = FailureCode.names.indices.dropFirst().map { number in
      let code = FailureCode(rawValue: UInt8(number))
      let comment = sentence("FailureCode.\(code)")
      return "| \(number) | `\(code)` | \(code.isTransient ? "yes" : "") | \(comment) |\n"
    }
    return """
      ## Errors

      The body of an error frame is a `Failure`:

      \(fields(Failure.self))
      The numbers are stable. After a code with "retry" the same call may succeed later without a change.

      | number | code | retry | meaning |
      | --- | --- | --- | --- |
      \(rows.joined())
      """
  }

  private var operations: String {
    var text = "## Operations\n"
    for service in Service.allCases {
      let own = MessageCatalog.operations
        .filter { $0.opcode.service == service && !$0.access.isSubset(of: .service) }
        .sorted { $0.opcode < $1.opcode }
      if own.isEmpty { continue }
      text += "\n### Answered by the \(service.name)\(service == .gateway ? "" : " service")\n"
      text += own.map { section($0) }.joined()
    }
    return text
  }

  private var events: String {
    let sections = MessageCatalog.events.sorted { $0.opcode < $1.opcode }.map { event in
      "\n#### `\(event.name)` \(event.opcode)\n\n\(comment(event.name))\(fields(event))"
    }
    return """
      ## Events

      Sent without being asked, in event frames with correlation 0. Ignore opcodes that you do not know.
      Those that must not get lost come inside a `StreamEvent`, whose `kind` is the opcode and whose `body`
      is the fields of the event. Hints, which are told once and only to who is connected, come inside a
      `HintEvent` in the same way.

      """ + sections.joined()
  }

  private func section<O: Operation>(_ operation: O.Type) -> String {
    let facts =
      O.access == .timersAlone
      ? ["A timer applies it to its own key; nobody calls it."] : facts(of: operation)
    return """

      #### `\(O.name)` \(O.opcode)

      \(comment(O.name))\(facts.joined(separator: " "))

      \(fields(O.self))
      Reply\(replyName(O.Reply.name, of: O.name)):

      \(fields(O.Reply.self))
      """
  }

  private func facts<O: Operation>(of operation: O.Type) -> [String] {
    var facts = ["Called by: \(callers(O.access))."]
    facts.append(
      O.isReadOnly ? "Read-only: needs no idempotency key." : "Needs an idempotency key.")
    if O.isIdempotent { facts.append("A repeated call runs again.") }
    if O.opcode.service != .gateway { facts.append(routing(O.routing)) }
    return facts
      + O.needs.map { "The gateway attaches the reply to `\($0.name)` \(holder($0.key))." }
  }

  private func holder(_ key: FactNeed.Key) -> String {
    switch key {
    case .caller: "at the caller's key"
    case .game: "at the key of the caller's game"
    case .field(let name): "at the key in `\(name)`, where there is one"
    case .each(let name): "at each key in `\(name)`"
    }
  }

  private func replyName(_ reply: String, of operation: String) -> String {
    reply == "\(operation).Reply" || reply == "Empty" ? "" : " `\(reply)`"
  }

  private var between: String {
    let own = MessageCatalog.operations.filter { $0.access.isSubset(of: .service) }
      .sorted { $0.opcode < $1.opcode }
    return """
      ## Between Muster's own processes

      A client never sees what follows. Processes know each other by certificate. The body of a request
      is a `ServiceEnvelope` with its count, then the operation; that of an event for a client is a
      `PushEnvelope` with its count, then the event. Each process also answers `describe` (0x..F0, reply
      `ServiceDescription`), `channelClosed` (0x..F1) and `status` (0x..F2, reply `ServiceStatus`), the
      high byte being its own.

      """
        + MessageCatalog.frameParts.dropFirst().filter { $0.name != Failure.name }.map {
          "\n#### `\($0.name)`\n\n\(comment($0.name))\(fields($0))"
        }.joined()
        + own.map { section($0) }.joined()
  }

  // MARK: Types

  /// Every message and enumeration that a field is of, once, by name.
  private var types: String {
    var found: [String: Shape] = [:]
    for entry in MessageCatalog.entries {
      guard case .message(_, let fields, _) = entry.message.shape else { continue }
      for field in fields { collect(field.shape, &found) }
    }
    found[IdempotencyKey.name] = nil
    return "## Types\n"
      + found.sorted { $0.key < $1.key }.map { name, shape in
        switch shape {
        case .enumeration(_, let names):
          let values = names.enumerated().map { "\($0.offset) `\($0.element)`" }
          return "\n#### `\(name)`\n\n\(comment(name))\(wrapped(values.joined(separator: ", ")))\n"
        case .message(_, let fields, let isFrozen):
          let mark = isFrozen ? ", frozen" : ""
          return "\n#### `\(name)`\(mark)\n\n\(comment(name))\(table(name, fields))"
        default: return ""
        }
      }.joined()
  }

  private func collect(_ shape: Shape, _ found: inout [String: Shape]) {
    switch shape {
    case .scalar, .identifier: break
    case .optional(let inner), .list(let inner): collect(inner, &found)
    case .enumeration(let name, _):
      if name != "FailureCode" { found[name] = shape }
    case .message(let name, let fields, _):
      found[name] = shape
      for field in fields { collect(field.shape, &found) }
    }
  }

  // MARK: Pieces

  private func fields<M: Message>(_ type: M.Type) -> String {
    guard case .message(let name, let fields, _) = M.shape else { return "" }
    return table(name, fields)
  }

  private func table(_ owner: String, _ fields: [Shape.Field]) -> String {
    if fields.isEmpty { return "No fields.\n" }
    return "| field | type | |\n| --- | --- | --- |\n"
      + fields.map {
        "| `\($0.name)` | `\(typeName($0.shape))` | \(meaning(of: $0, in: owner)) |\n"
      }.joined()
  }

  private func meaning(of field: Shape.Field, in owner: String) -> String {
    let comment = sentence("\(owner).\(field.name)")
    // Identifiers and enumerations are unset as nil and as their first case.
    guard case .scalar = field.shape, let text = field.defaultText else { return comment }
    return (comment.isEmpty ? "" : comment + " ") + "Default: `\(text)`."
  }

  private func typeName(_ shape: Shape) -> String {
    switch shape {
    case .scalar(let name), .identifier(let name): name
    case .enumeration(let name, _), .message(let name, _, _): name
    case .optional(let inner): "\(typeName(inner))?"
    case .list(let inner): "[\(typeName(inner))]"
    }
  }

  /// A comment on one line, for a table.
  private func sentence(_ name: String) -> String {
    (sources.comments[name] ?? []).joined(separator: " ").replacing("|", with: "\\|")
  }

  private func comment(_ name: String) -> String {
    sources.comments[name].map { $0.joined(separator: "\n") + "\n\n" } ?? ""
  }

  private func callers(_ access: Access) -> String {
    PrincipalKind.names.indices.map { PrincipalKind(rawValue: UInt8($0)) }
      .filter { access.allows($0) }
      .map { $0 == .anonymous ? "anybody before sign-in" : "\($0)" }.joined(separator: ", ")
  }

  private func routing(_ routing: Routing) -> String {
    switch routing {
    case .principal: "Runs at the caller's key."
    case .firstIdentifier: "Runs at the key that its first field is."
    case .firstName: "Runs at the key that its first field names within the game."
    case .pair: "Runs at the key of the caller and the player in its first field."
    case .fresh: "Runs at a new key, the same again for a repeated call."
    case .game: "Runs at the key of the caller's game."
    }
  }

  private func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.count + word.count + 1 > 100 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
      }
    }
    return lines.joined(separator: "\n")
  }
}
