public import Wire

// The audit: what owners and operators did. The engine writes it for every operation that players
// may not call, by the operation's declared access, so that no handler has to remember it.
//
// The audit has only calls that changed something. A refused call changed nothing, and recording it
// would let whoever is refused fill the disk. A board that is declared again as it is changes
// nothing either.

extension NumberSetting {
  /// By default a year, and some time more to look back at the whole of it.
  public static let auditKept = NumberSetting(
    "audit-days", .days, default: 400, 1...36_500,
    "How long the audit keeps what owners and operators did.")
}

/// One call of an owner or operator that changed something, in the same batch as what it changed.
public struct AuditRow: Row {
  public static let tableID: UInt16 = 6
  public static let tableName = "audit"
  /// Bytes of a call that are kept: all of nearly every call that is for owners alone. What is
  /// longer, such as a set of very many boards, must not make the audit larger than what it is
  /// about.
  public static let bodyBytesMax = 4096

  /// The number of the batch and the place in it: grows with time, within one store.
  public var key: UInt64 = 0
  /// Milliseconds since 1970.
  public var time: Int64 = 0
  public var principal = PrincipalKind()
  public var game = ""
  public var opcode: UInt16 = 0
  public var operation = ""
  /// What the call was about as far as its routing says: a name, such as a board's, or a key.
  public var subject = ""
  public var routingKey = RoutingKey()
  /// Joins the row to the log lines of the processes that the call went through: the low half of
  /// the trace.
  public var trace: UInt64 = 0
  /// The first bytes of the call's message, and the number and hash (64-bit FNV-1a) of all of them;
  /// the hash is 0 when somebody whom the row named was erased.
  public var body = Bytes()
  public var bodyCount: UInt32 = 0
  public var bodyHash: UInt64 = 0
  /// The high half of the trace.
  public var traceHigh: UInt64 = 0
  /// Which operator it was; empty for the one without a name, for a game's server, and in rows of
  /// earlier versions.
  public var operatorName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("sequence", &key)
    visit.field("time", &time)
    visit.field("principal", &principal)
    visit.field("game", &game)
    visit.field("opcode", &opcode)
    visit.field("operation", &operation)
    visit.field("subject", &subject)
    visit.field("routingKey", &routingKey)
    visit.field("trace", &trace)
    visit.field("body", &body)
    visit.field("bodyCount", &bodyCount)
    visit.field("bodyHash", &bodyHash)
    visit.field("traceHigh", &traceHigh)
    visit.field("operatorName", &operatorName)
  }
}

extension AuditRow {
  init(_ request: Request, _ body: RawSpan, _ route: Route, sequence: UInt64, time: Int64) {
    let envelope = request.envelope
    key = sequence
    self.time = time
    principal = envelope.principal.kind
    game = envelope.principal.game
    operatorName = envelope.principal.operatorName
    opcode = request.opcode.rawValue
    operation = route.name
    subject = Self.subject(request, body, route.routing)
    routingKey = envelope.routingKey
    (trace, traceHigh) = (envelope.trace, envelope.traceHigh)
    self.body = Bytes([UInt8](copying: body.extracting(first: Self.bodyBytesMax)))
    bodyCount = UInt32(body.byteCount)
    bodyHash = FNVHash(body).value
  }

  private static func subject(_ request: Request, _ body: RawSpan, _ routing: Routing)
    -> String
  {
    if routing == .firstName || routing == .game,
      let name = try? Reader.read(body, { String.decode(from: &$0) }).get()
    {
      return name
    }
    return request.envelope.routingKey.description
  }
}

extension Access {
  /// True for what a game's owner or an operator may call and players may not.
  var isForOwnersAlone: Bool {
    !isDisjoint(with: [.gameServer, .deploymentOperator])
      && isDisjoint(with: [.anonymous, .player])
  }
}
