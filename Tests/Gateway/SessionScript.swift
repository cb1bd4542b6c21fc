import Domain
import GatewayCore
import Operations
import Testing
import Wire

/// A client's session beside a gateway of our own: events are told one after the other, and what
/// the session has done is read off.
struct SessionScript {
  static let player = PlayerID(high: 1, low: 1)
  static let device = DeviceID(high: 1, low: 2)
  static let instance: UInt64 = 77
  /// What the gateway draws, each time.
  static let random: UInt64 = 99
  static let boards = (1...9).map { "board \($0)" }

  var state: GatewayState
  var session: ClientSession
  /// What was done since it was last taken.
  private var done = Done()
  /// When the session has asked to be woken.
  private(set) var wakeTime: UInt64?
  /// Of the calls that were passed on.
  private(set) var operations: [CallToken: [UInt8]] = [:]
  /// Those that came with calls which were relayed.
  private var envelopes: [CallToken: [UInt8]] = [:]
  private var correlation: UInt32 = 0
  private var counter: UInt64 = 0

  /// - Parameters:
  ///   - settings: the defaults but for these, and no limit to the calls, unless that is what the
  ///     test is about.
  ///   - leftOut: the service that the deployment does without.
  ///   - hosts: the budgets of hosts, which do not end unless that is what the test is about.
  ///   - keyring: one of a single secret, unless keys are what the test is about.
  ///   - operators: those with a name, each with the hash of the secret.
  init(
    _ settings: [NumberSetting: Int] = [:], leftOut: Service? = nil,
    hosts: HostCalls = HostCalls(), keyring: Keyring? = nil, operators: [String: [UInt8]] = [:]
  ) {
    let settings = settings.merging([.callsPerSecond: 1_000_000]) { given, _ in given }
    state = GatewayState(
      keyring: keyring ?? Keyring(secret: [], hash: Self.hash),
      partitions: { $0 == leftOut ? 0 : 1 },
      settings: SettingValues(GatewayState.settings, settings),
      operatorSecret: Array("operator".utf8), operators: operators,
      wallClock: { 1_000_000 }, random: { Self.random }, equals: { $0 == $1 },
      hosts: hosts)
    state.now = 1_000
    session = ClientSession(SessionNumber(place: 3), host: PeerHost(ipv4: 0x0a00_0001))
    learn(.leaderboard, SubmitScore.self, FriendScores.self, TopScores.self, RemoveScore.self)
    learn(
      .context, SendMatchData.self, FetchParticipants.self, SwitchContext.self,
      CreatePairContext.self)
    learn(.request, OpenSession.self, FetchFriends.self)
    know("demo")
  }

  /// Another client of the gateway signs in to a game first, and the game is declared.
  private mutating func know(_ game: String) {
    let own = session
    session = ClientSession(SessionNumber(place: 4), host: PeerHost(ipv4: 0x0a00_0002))
    var signIn = SignIn()
    signIn.game = game
    call(signIn)
    for question in take().calls { answer(question, .success(Self.declared(true).encoded)) }
    session.closed(&state)
    _ = take()
    (session, correlation, counter) = (own, 0, 0)
  }

  static func declared(_ isDeclared: Bool) -> FetchGame.Reply {
    var reply = FetchGame.Reply()
    reply.isDeclared = isDeclared
    return reply
  }

  /// Different for each pair of a key and bytes, as HMAC-SHA-256 is.
  static let hash: Keyring.KeyedHashing = { key, bytes in
    var hash = SHA256()
    for byte in [UInt8(key.count)] + key + bytes { hash.add(byte) }
    let words = hash.finish()
    var writer = Writer()
    for place in words.indices { writer.integer(words[place]) }
    return writer.bytes
  }

  private mutating func learn<each O: Operation>(
    _ service: Service, _ operations: repeat (each O).Type
  ) {
    var description = ServiceDescription()
    description.service = service.rawValue
    for operation in repeat each operations { description.routes.append(Self.route(operation)) }
    state.routes.learn(description)
  }

  private static func route<O: Operation>(_ operation: O.Type) -> RouteDescription {
    var route = RouteDescription()
    route.opcode = O.opcode.rawValue
    route.access = O.access.rawValue
    route.isReadOnly = O.isReadOnly
    route.routing = O.routing.rawValue
    route.isLive = O.isLive
    if O.self == FriendScores.self || O.self == SwitchContext.self {
      var friends = FactKeySource()
      friends.opcode = FetchFriends.opcode.rawValue
      friends.form = .caller
      route.needs = [friends]
    }
    return route
  }

  // MARK: What happens

  /// A call of the client comes in; gives its correlation.
  @discardableResult
  mutating func call<O: Operation>(_ operation: O, deadline: UInt32 = 0, trace: TraceID = TraceID())
    -> UInt32
  {
    correlation += 1
    counter += 1
    var envelope = ClientEnvelope()
    envelope.deadlineMilliseconds = deadline
    envelope.traceID = trace
    envelope.idempotency = IdempotencyKey(instance: 0, counter: counter, floor: 1)
    let body = Enveloped.join(envelope, operation.encoded)
    let header = FrameHeader(kind: .request, opcode: O.opcode.rawValue, correlation: correlation)
    receive(header, body)
    return correlation
  }

  /// A frame comes in. Its bytes are there for no longer than this.
  @discardableResult
  mutating func receive(_ header: FrameHeader, _ body: [UInt8]) -> Admission {
    session.read(byteCount: WireLimits.frameHeaderSize + body.count, &state)
    let admission = unsafe session.received(header, body.span.bytes, &state)
    note(frame: body)
    if case .relayed(let call) = admission {
      operations[call.token] = Array(body[call.operationStart...])
      envelopes[call.token] = call.envelope
      done.all.append(.forward(call.token, .lent(after: call.operationStart), to: call.address))
    }
    return admission
  }

  /// The connection has opened.
  mutating func connect() {
    session.connected(&state)
    note(frame: [])
  }

  mutating func answer(_ call: ServiceCall, _ result: Result<[UInt8], Failure>) {
    session.answered(call, result, &state)
    note(frame: [])
  }

  /// Milliseconds go by, and the session is woken if that is what it asked for.
  mutating func wait(_ milliseconds: UInt64) {
    state.now += milliseconds
    guard let due = wakeTime, due <= state.now else { return }
    wakeTime = nil
    session.timeHasPassed(&state)
    note(frame: [])
  }

  /// A service asks for a fact that a call came without, and gives the call back.
  mutating func refuse(_ token: CallToken, _ demand: FactDemand) {
    var demand = demand
    demand.operation = operations[token].map { Bytes($0) }
    session.refused(token, Failure(demand), &state)
    note(frame: [])
  }

  mutating func signIn(to game: String = "demo", cursor: UInt64? = nil) throws {
    var signIn = SignIn()
    signIn.game = game
    signIn.player = Self.player
    signIn.device = Self.device
    signIn.cursor = cursor
    call(signIn)
    if game != "demo" {
      answer(try #require(take().calls.first), .success(Self.declared(true).encoded))
    }
    answer(try #require(take().calls.first), .success(Self.opened().encoded))
    _ = take()
  }

  /// A token of the script's player, from a session of its own.
  static func token(_ script: inout SessionScript) throws -> Bytes {
    var signIn = SignIn()
    signIn.game = "demo"
    signIn.player = player
    signIn.device = device
    script.call(signIn)
    script.answer(try #require(script.take().calls.first), .success(opened().encoded))
    return try SessionStarted(decoding: try #require(script.take().answers.first).body).token
  }

  static func opened() -> OpenSession.Reply {
    var reply = OpenSession.Reply()
    reply.instance = instance
    return reply
  }

  /// An event of the player's stream is pushed.
  mutating func push(_ sequence: UInt64) -> PushOutcome {
    var event = StreamEvent()
    event.sequence = sequence
    event.id = EventID(high: 3, low: sequence)
    return pushed(StreamEvent.opcode, event.encoded)
  }

  mutating func pushed(_ opcode: Opcode, _ event: [UInt8], backlog: Int = 0) -> PushOutcome {
    unsafe session.pushed(opcode, event.span.bytes, backlog: backlog)
  }

  // MARK: What the session had done

  /// Everything since the last time.
  struct Done {
    var all: [ClientAction] = []

    /// Calls that were passed on.
    var forwards: [CallToken] {
      all.compactMap { if case .forward(let token, _, _) = $0 { token } else { nil } }
    }
    /// Those of them whose bytes were copied.
    var copied: [CallToken] {
      all.compactMap { if case .forward(let token, .copied, _) = $0 { token } else { nil } }
    }
    /// The gateway's own.
    var calls: [ServiceCall] {
      all.compactMap { if case .call(let call) = $0 { call } else { nil } }
    }
    /// Replies and errors to the client.
    var answers: [(header: FrameHeader, body: [UInt8])] {
      all.compactMap { if case .answer(let header, let body) = $0 { (header, body) } else { nil } }
    }
    /// What is to be logged.
    var ends: [CallEnd] {
      all.compactMap { if case .ended(let end) = $0 { end } else { nil } }
    }
    var failures: [Failure] {
      answers.filter { $0.header.kind == .error }.compactMap { try? Failure(decoding: $0.body) }
    }
    var pushes: [Opcode] {
      all.compactMap { if case .push(let opcode, _) = $0 { opcode } else { nil } }
    }
    var closedNumbers: [SessionNumber] {
      all.compactMap { if case .closeChannels(let number, _, _) = $0 { number } else { nil } }
    }
    /// The instances that processes were told have ended; 0 where only a connection has.
    var endedInstances: [UInt64] {
      all.compactMap {
        if case .closeChannels(_, let end, _) = $0 { end.endedInstance } else { nil }
      }
    }
    /// Whether the connection ends when what was sent is out.
    var isFinish: Bool { all.contains { if case .finish = $0 { true } else { false } } }
    var isClose: Bool { all.contains { if case .close = $0 { true } else { false } } }
  }

  mutating func take() -> Done {
    note(frame: [])
    let taken = done
    done = Done()
    return taken
  }

  private mutating func note(frame: [UInt8]) {
    var actions: [ClientAction] = []
    state.exchangeActions(&actions)
    for case .forward(let token, let bytes, _) in actions {
      let operation = unsafe bytes.read(in: frame.span.bytes) { [UInt8](copying: $0) }
      operations[token] = operation
    }
    for case .wake(let milliseconds) in actions { wakeTime = state.now + milliseconds }
    done.all += actions
  }

  /// The envelope of a call that is passed on, as its service gets it.
  mutating func envelope(_ token: CallToken) throws -> ServiceEnvelope {
    var writer = Writer()
    if let relayed = envelopes[token] {
      writer.raw(relayed)
    } else {
      _ = session.outgoing(token, envelope: &writer)
    }
    return try unsafe Enveloped.split(ServiceEnvelope.self, writer.bytes.span.bytes).envelope
  }

  /// The boards of calls that were passed on, in order: "s" for a score, "f" for friends' scores.
  mutating func boards(_ tokens: [CallToken]) throws -> [String] {
    try tokens.map { token in
      var writer = Writer()
      let operation = try #require(operations[token])
      return session.outgoing(token, envelope: &writer).opcode == SubmitScore.opcode
        ? "s " + (try SubmitScore(decoding: operation)).board
        : "f " + (try FriendScores(decoding: operation)).board
    }
  }
}

extension SubmitScore {
  init(on board: String) {
    self.init()
    self.board = board
  }
}

extension FriendScores {
  init(on board: String) {
    self.init()
    self.board = board
  }
}
