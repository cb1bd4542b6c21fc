import Operations
public import Wire

/// `protocol.json`: the field lists, codes and limits of `protocol.md`, for programs.
///
/// It holds what a client sends and gets, and nothing of what passes between processes.
public struct ProtocolSchema {
  public let operations: [any Operation.Type]
  public let events: [any Event.Type]
  /// What a client's fields are of, by name.
  public let types: ClientTypes

  public init() {
    operations = MessageCatalog.operations.filter { $0.access.isForClients }
      .sorted { $0.opcode < $1.opcode }
    events = MessageCatalog.events.sorted { $0.opcode < $1.opcode }
    types = ClientTypes(operations: operations, events: events)
  }

  public var text: String { JSONLayout.text(of: tree) + "\n" }

  public var tree: Tree {
    .record([
      ("protocol", .text("muster/1")), ("frameVersion", .integer(Int64(WireLimits.version))),
      ("frameHeaderBytes", .integer(Int64(WireLimits.frameHeaderSize))),
      ("frameKinds", .texts(["request", "reply", "error", "event", "ping"])),
      ("services", .texts(Service.allCases.map(\.name))), ("limits", limits),
      ("failures", .list(failures)), ("types", types.tree),
      ("operations", .list(operations.map { operation($0) })),
      ("events", .list(events.map { event($0) })), ("examples", WorkedExample.trees),
    ])
  }

  // MARK: Parts

  /// With the values that an operator has not changed.
  private var limits: Tree {
    guard case .object(let members) = ProtocolProse.usual.tree else { return .null }
    let received = Tree.Member(
      name: "receivedFrameBytesMax", value: .integer(Int64(WireLimits.frameSizeMax)))
    return .object(members + [received])
  }

  private var failures: [Tree] {
    FailureCode.names.indices.dropFirst().map { number in
      let code = FailureCode(rawValue: UInt8(number))
      return .record([
        ("number", .integer(Int64(number))), ("name", .text("\(code)")),
        ("remedy", .text(code.remedy.rawValue)),
      ])
    }
  }

  private func operation<O: Operation>(_ type: O.Type) -> Tree {
    var members: [(String, Tree)] = [
      ("name", .text(O.name)), ("opcode", .integer(Int64(O.opcode.rawValue))),
      ("callers", .texts(O.access.callers.map(\.description))), ("key", .text(O.keyUse.rawValue)),
    ]
    if O.changesSession { members.append(("changesSession", .bool(true))) }
    members.append(("fields", types.fields(of: O.shape)))
    let reply: Tree =
      O.hasOwnReply
      ? .record([("fields", types.fields(of: O.Reply.shape))]) : .text(O.Reply.name)
    members.append(("reply", reply))
    return .record(members)
  }

  private func event<E: Event>(_ type: E.Type) -> Tree {
    .record([
      ("name", .text(E.name)), ("opcode", .integer(Int64(E.opcode.rawValue))),
      ("way", .text(E.way.rawValue)), ("fields", types.fields(of: E.shape)),
    ])
  }
}

/// What an operation asks of its caller's idempotency key.
enum KeyUse: String {
  case none, needed
  /// A key is needed, and a repeated call runs again all the same.
  case runsAgain
}

extension Wire.Operation {
  static var keyUse: KeyUse { isReadOnly ? .none : isIdempotent ? .runsAgain : .needed }
  /// False when several operations share the message that answers them.
  static var hasOwnReply: Bool { Reply.name == "\(name).Reply" || Reply.name == Empty.name }
}

extension Access {
  /// False for what clients never call: the gateway calls it in an operator's name, or a service.
  var isForClients: Bool { !isForGatewayAlone && !isSubset(of: .gateway) }

  var callers: [PrincipalKind] {
    PrincipalKind.names.indices.map { PrincipalKind(rawValue: UInt8($0)) }.filter { allows($0) }
  }
}

extension Tree {
  static func record(_ members: [(String, Tree)]) -> Tree {
    .object(members.map { Member(name: $0.0, value: $0.1) })
  }
  static func texts(_ texts: [String]) -> Tree { .list(texts.map { .text($0) }) }
}
