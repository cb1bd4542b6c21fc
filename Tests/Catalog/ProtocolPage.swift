import Domain
import Operations
import Wire

/// `protocol.md`: the protocol as somebody needs it who writes a client in another language.
public struct ProtocolPage {
  let sources: Sources
  let schema = ProtocolSchema()

  public init() throws { sources = try Sources() }

  public var text: String {
    [
      ProtocolProse.connecting, ProtocolProse.frames, ProtocolProse.values, ProtocolProse.growth,
      envelope, ProtocolProse.keys, ProtocolProse.life, ProtocolProse.stream, limits,
      ProtocolProse.texts, failures, ProtocolProse.schema, WorkedExample.text, ProtocolProse.match,
      ProtocolProse.accounts, ProtocolProse.profiles, ProtocolProse.requests, ProtocolProse.turns,
      ProtocolProse.groups,
      ProtocolProse.matchmaking,
      operations, events, types, between,
    ].joined(separator: "\n")
  }

  // MARK: Parts

  private var envelope: String {
    """
    ## The envelope of a request

    The body of a request frame is a `ClientEnvelope`, with its count before it, and then the operation's
    fields without a count. The body of a reply is the reply's fields; of an event, the event's fields. A
    field of type `Bytes` that holds a message, such as `StreamEvent.body` and `Failure.detail`, has the
    message's fields behind its own count, and no second count.

    \(fields(ClientEnvelope.self))
    `idempotency` is an `IdempotencyKey`, frozen:

    \(fields(IdempotencyKey.self))
    """
  }

  private var limits: String {
    let usual = ProtocolProse.usual.tree
    guard case .object(let members) = usual,
      case .message(_, let fields, _) = ClientLimits.shape
    else { return "" }
    let sent = zip(members, fields).map { member, field in
      "| `\(member.name)` | \(JSONLayout.text(of: member.value)) "
        + "| \(sentence("ClientLimits.\(field.name)")) |\n"
    }
    let settings = LimitTable.settings.map { "| `\($0.name)` | \($0.fallback) | \($0.help) |\n" }
    let named = LimitTable.entries.map { name, value in
      "| `\(name)` | \(value) | \(sentence(name)) |\n"
    }
    return """
      ## Limits

      `SessionStarted` says in `limits` what the deployment allows one client. These are the values that an
      operator has not changed:

      | field | usual | |
      | --- | --- | --- |
      \(sent.joined())
      An operator may change these too, and no message tells them. A whole burst may be used at once; after
      that, one more is allowed every refill time. A call that has no room is refused with `rateLimited`; a
      request for which its recipient has none ends in a `RequestDropped`.

      | setting | usual | |
      | --- | --- | --- |
      \(settings.joined())
      These are the same everywhere. Comments on this page call them by these names:

      | limit | value | |
      | --- | --- | --- |
      \(named.joined())
      """
  }

  private var failures: String {
    let rows = FailureCode.names.indices.dropFirst().map { number in
      let code = FailureCode(rawValue: UInt8(number))
      return "| \(number) | `\(code)` | `\(code.remedy.rawValue)` "
        + "| \(sentence("FailureCode.\(code)")) |\n"
    }
    let remedies = Remedy.allCases.map { "| `\($0.rawValue)` | \(sentence("Remedy.\($0)")) |\n" }
    return """
      ## Errors and what to do

      The body of an error frame is a `Failure`:

      \(fields(Failure.self))
      `argument` is the name of a field of the operation, at any depth, or one of these: `game` of the session,
      `idempotency`, `counter` and `floor` of the envelope, `context` where a board is linked to one.

      A code's remedy is what a client does about it:

      | remedy | |
      | --- | --- |
      \(remedies.joined())
      After `unavailable` and `deadlineExceeded` it is not known whether the call ran, and after `staleKey`
      whether an earlier one with the same counter did. After any other code nothing was done. A client that
      meets a code that it does not know gives up.

      | number | code | remedy | meaning |
      | --- | --- | --- | --- |
      \(rows.joined())
      ### Pages of lists

      A list comes in pages. The reply to one page has the `cursor` of the next one, and is the last where it
      is empty. A cursor is of one list, one player and one game: another's is refused with `invalidArgument`
      (cursor). So is one that an older server gave; begin again with the first page. A list may change between
      two pages, so that an item may come twice.

      Rankings have no cursor: `start` of the next page is that of the last one plus the `count` that was asked
      for, until a page has fewer entries. Scores that come meanwhile move entries, so that one may come twice or
      be missed.

      """
  }

  private var operations: String {
    var text = "## Operations\n"
    for service in Service.allCases {
      let own = schema.operations.filter { $0.opcode.service == service }
      if own.isEmpty { continue }
      text += "\n### Answered by the \(service.name)\(service == .gateway ? "" : " service")\n"
      text += own.map { section($0) }.joined()
    }
    return text
  }

  private var events: String {
    let sections = schema.events.map { event in
      "\n#### `\(event.name)` \(event.opcode)\n\n\(comment(event.name))\(way(of: event))"
        + fields(event)
    }
    return """
      ## Events

      The server sends events without being asked, in event frames with correlation 0. Ignore opcodes that you
      do not know. An event's line says how it comes: as it is; inside a `StreamEvent`, whose `kind` is the
      event's opcode and whose `body` is its fields, because it must not get lost; or inside a `HintEvent` in
      the same way, once, to whoever is connected.

      """ + sections.joined()
  }

  private func way<E: Event>(of event: E.Type) -> String {
    switch E.way {
    case .push: "Comes as it is.\n\n"
    case .stream: "Comes inside a `StreamEvent`.\n\n"
    case .hint: "Comes inside a `HintEvent`.\n\n"
    }
  }

  private func section<O: Operation>(_ operation: O.Type) -> String {
    let facts =
      O.access == .timersAlone
      ? ["A timer applies it to its own key; nobody calls it."] : facts(of: operation)
    return """

      #### `\(O.name)` \(O.opcode)

      \(comment(O.name))\(facts.joined(separator: " "))

      \(fields(O.self))
      \(reply(of: operation))
      """
  }

  private func reply<O: Operation>(of operation: O.Type) -> String {
    if O.hasOwnReply { return "Reply:\n\n\(fields(O.Reply.self))" }
    // Another operation's reply stands in that one's section.
    let owner = MessageCatalog.operations.first { "\($0.name).Reply" == O.Reply.name }
    let heading = owner.map { "\($0.name)-\($0.opcode)" } ?? O.Reply.name
    return "Reply: [`\(O.Reply.name)`](#\(heading.lowercased())).\n"
  }

  private func facts<O: Operation>(of operation: O.Type) -> [String] {
    var facts = ["Called by: \(callers(O.access))."]
    switch O.keyUse {
    case .none: facts.append("Needs no idempotency key: a repeated call runs again.")
    case .needed: facts.append("Needs an idempotency key.")
    case .runsAgain: facts.append("Needs an idempotency key, and a repeated call runs again.")
    }
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

  private var between: String {
    let own = MessageCatalog.operations.filter { !$0.access.isForClients }
      .sorted { $0.opcode < $1.opcode }
    return """
      ## Between Muster's own processes

      A client never sees what follows. Processes know each other by certificate. The body of a request
      is a `ServiceEnvelope` with its count, then the operation; that of an event for a client is a
      `PushEnvelope` with its count, then the event. Each process also answers `describe` (0x..F0, reply
      `ServiceDescription`), `channelClosed` (0x..F1) and `status` (0x..F2, reply `ServiceStatus`), the
      high byte being its own.

      """
        + MessageCatalog.frameParts.filter { part in
          !MessageCatalog.clientParts.contains { $0.name == part.name }
        }.map { "\n#### `\($0.name)`\n\n\(comment($0.name))\(fields($0))" }.joined()
        + own.map { section($0) }.joined() + typesBetween
  }

  // MARK: Pieces

  func fields<M: Message>(_ type: M.Type) -> String {
    guard case .message(let name, let fields, _) = M.shape else { return "" }
    return table(name, fields)
  }

  func table(_ owner: String, _ fields: [Shape.Field]) -> String {
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
  func sentence(_ name: String) -> String {
    (sources.comments[name] ?? []).joined(separator: " ").replacing("|", with: "\\|")
  }

  func comment(_ name: String) -> String {
    sources.comments[name].map { $0.joined(separator: "\n") + "\n\n" } ?? ""
  }

  private func callers(_ access: Access) -> String {
    if access.isForGatewayAlone { return "the gateway alone" }
    return access.callers.map { $0 == .anonymous ? "anybody before sign-in" : "\($0)" }
      .joined(separator: ", ")
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
}
