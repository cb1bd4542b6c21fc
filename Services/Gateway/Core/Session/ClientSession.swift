import Domain
import Operations
public import Wire

/// One client's connection: who it is, what it may ask, and what it waits for.
///
/// A value without socket and clock. Events go in; what is to be done comes out as the actions of
/// the `GatewayState`, and on the three ways that every message of a match takes (a call and a
/// reply that pass on, an event) as the returned value. The rules it keeps:
/// - Calls reach each key in the order in which they came, whatever facts some of them wait for;
///   but those under way may overtake a call that its service refused until it has one more fact.
/// - A sign-in, a resumption and a sign-out come after all calls before them and before all after
///   them.
/// - Every call is answered once, within the time that its client gave it when it came.
/// - Nothing that belongs to a session reaches whoever signs in next on the connection.
public struct ClientSession {
  /// A player's session in a game.
  struct Player {
    var principal: Principal
    /// Stands in every idempotency key of this client.
    var instance: UInt64
    /// When the client last got a token, on the monotonic clock.
    var tokenIssuedAt: UInt64
    /// The newest event of the player's stream that was pushed here.
    var pushed: StreamPlace
    /// The request service has said that the session is over.
    var isRevoked = false
  }

  enum State {
    case anonymous
    /// The request service was asked to begin a session; pushes may come before its answer does.
    case opening(Player, CallToken)
    case player(Player)
    /// The request service was asked to end the session.
    case closing(Player, CallToken)
    /// An operator or a game's server, for as long as the connection lives.
    case trusted(Caller, Grounds)
    case closed
  }

  /// The number that services know the client by.
  public internal(set) var number: SessionNumber
  let host: PeerHost
  var state = State.anonymous { didSet { liveEnvelope = nil } }
  /// That of the player's calls with live data; nil until there was one.
  private var liveEnvelope: EnvelopeTemplate?
  var calls = OpenCalls()
  /// Calls that are not under way, in the order in which they came.
  var held: [CallToken] = []
  /// When the connection is to close, unless somebody has signed in by then.
  var signInDue = UInt64.max
  /// When `timeHasPassed` is to be called: at the first deadline of a held call, or earlier.
  var wakeTime = UInt64.max
  /// The processes that may hold a channel to this client.
  var touched: [ProcessAddress] = []
  private var arrivals: UInt64 = 0
  /// Counts while no player has signed in; a player's calls count in `GatewayState`.
  private var budget = TokenBucket()
  /// Where the player's was the last time.
  private var budgetPlace = 0
  /// Bytes that were read and not charged yet, as they are fewer than one call counts for.
  private var unchargedBytes = 0
  /// Milliseconds for which nothing is to be read, since this was last taken.
  private var hold: UInt32 = 0

  /// - Parameter host: whom the client's sign-ins are counted by.
  public init(_ number: SessionNumber, host: PeerHost) {
    self.number = number
    self.host = host
  }

  /// Who the calls on the connection come from.
  public var principal: Principal { caller.principal }

  /// Calls that are not answered yet.
  public var openCallCount: Int { calls.count }

  // MARK: Calls come in

  /// A request of the client, with its envelope.
  public mutating func received(
    _ header: FrameHeader, _ body: RawSpan, _ gateway: inout GatewayState
  ) -> Admission {
    if case .closed = state { preconditionFailure("a closed connection has received a call") }
    // Bytes that cannot be read cost as much.
    charge(1, &gateway)
    let envelope: ClientEnvelope
    let envelopeSize: Int
    do {
      (envelope, envelopeSize) = try Enveloped.envelope(ClientEnvelope.self, of: body)
    } catch {
      answer(header, Failure(.malformed, "The envelope cannot be read: \(error)."), &gateway)
      return .refused
    }
    guard calls.count < GatewayLimits.openCallsMax else {
      let failure = Failure.backpressure(.connectionCalls)
      answer(header, failure, &gateway)
      if gateway.tellsEnd(failure, 0) {
        let opcode = Opcode(rawValue: header.opcode)
        gateway.act(
          .ended(
            CallEnd(opcode: opcode, trace: envelope.traceID, failure: failure, microseconds: 0)))
      }
      return .refused
    }
    if let call = relay(header, envelope, body, operationAt: envelopeSize, &gateway) {
      return .relayed(call)
    }
    let token = open(header, envelope, &gateway)
    if (held.isEmpty || mayPassHeld(token)) && !isChanging {
      begin(token, header, body, operationAt: envelopeSize, &gateway)
    } else {
      keep(body.extracting(droppingFirst: envelopeSize), of: token)
      held.append(token)
      wake(&gateway)
    }
    return .admitted
  }

  /// True for live data: it waits for held calls only if one of them changes the session.
  private func mayPassHeld(_ token: CallToken) -> Bool {
    calls[token]?.isLive == true && !held.contains { calls[$0]?.changesSession == true }
  }

  // MARK: Budgets

  /// Bytes came, whatever they are. Those of a stranger count with the host's, and others with
  /// calls: a large call costs those whom it is for as much as many small ones.
  public mutating func read(byteCount: Int, _ gateway: inout GatewayState) {
    switch state {
    case .anonymous, .opening:
      holdBack(gateway.hosts.chargeStranger(host, byteCount, gateway.now))
    case .player, .closing, .trusted:
      unchargedBytes += byteCount
      let count = unchargedBytes / GatewayLimits.callSizeCounted
      unchargedBytes -= count * GatewayLimits.callSizeCounted
      charge(count, &gateway)
    case .closed: break
    }
  }

  /// A frame came that is no request, and that no client has reason to send.
  public mutating func receivedOther(_ gateway: inout GatewayState) { charge(1, &gateway) }

  /// Takes what the facts of a call cost out of the budget of calls.
  mutating func countFacts(_ cost: Int, _ gateway: inout GatewayState) { charge(cost, &gateway) }

  /// How many milliseconds long nothing is to be read from the client, as of the last event; 0 for
  /// a client within its budget.
  public mutating func takeHold() -> UInt32 {
    if hold == 0 { return 0 }
    defer { hold = 0 }
    return hold
  }

  /// Takes calls out of the budget, which may owe them. Until they are paid nothing is read: so a
  /// flood costs neither its parsing nor its answers, and the network makes its sender wait.
  private mutating func charge(_ count: Int, _ gateway: inout GatewayState) {
    if count == 0 { return }
    switch state {
    case .player(let player), .closing(let player, _):
      holdBack(gateway.chargeCalls(count, of: player.principal.player, at: &budgetPlace))
    case .anonymous, .opening, .trusted, .closed:
      holdBack(
        budget.charge(
          count, at: gateway.callRate, now: Int64(gateway.now), debtMax: gateway.callRate.burst))
    }
  }

  private mutating func holdBack(_ milliseconds: UInt32?) {
    if let milliseconds { hold = max(hold, milliseconds) }
  }

  /// A player's call with live data passes on, if no call is held: nothing of it is kept but that
  /// it is open. Returns nil for a call that takes the way of all others.
  private mutating func relay(
    _ header: FrameHeader, _ client: ClientEnvelope, _ frame: RawSpan, operationAt start: Int,
    _ gateway: inout GatewayState
  ) -> RelayedCall? {
    let opcode = Opcode(rawValue: header.opcode)
    guard held.isEmpty, gateway.routes.isRelayed(opcode), let service = opcode.service,
      case .success(let key) = Reader.read(
        frame.extracting(droppingFirst: start), { RoutingKey.decode(from: &$0) }),
      hasLiveEnvelope()
    else { return nil }
    let deadline = gateway.deadline(client.deadlineMilliseconds)
    let trace = gateway.trace(client.traceID)
    liveEnvelope?.fill(trace: trace, deadlineMilliseconds: deadline, routingKey: key)
    return RelayedCall(
      token: calls.insert(relayed: header), address: touch(service, key, gateway),
      envelope: liveEnvelope?.bytes ?? [], operationStart: start, deadlineMilliseconds: deadline,
      trace: trace)
  }

  /// False while no player is signed in.
  private mutating func hasLiveEnvelope() -> Bool {
    if liveEnvelope != nil { return true }
    guard case .player(let player) = state else { return false }
    var envelope = ServiceEnvelope()
    envelope.principal = player.principal
    envelope.session = number.rawValue
    liveEnvelope = EnvelopeTemplate(envelope)
    return true
  }

  private mutating func open(
    _ header: FrameHeader, _ client: ClientEnvelope, _ gateway: inout GatewayState
  ) -> CallToken {
    var envelope = ServiceEnvelope()
    envelope.traceID = gateway.trace(client.traceID)
    envelope.idempotency = client.idempotency
    arrivals += 1
    return calls.insert(
      OpenCall(
        header: header, arrival: arrivals, arrivedAt: gateway.microseconds,
        deadline: gateway.now + UInt64(gateway.deadline(client.deadlineMilliseconds)),
        changesSession: gateway.routes[Opcode(rawValue: header.opcode)]?.changesSession ?? false,
        isLive: gateway.routes.isLive(Opcode(rawValue: header.opcode)), envelope: envelope))
  }

  /// Gives a call that has to wait a copy of its bytes: the frame that they are in is lent.
  mutating func keep(_ operation: RawSpan, of token: CallToken) {
    calls[token]?.copiedOperation = [UInt8](copying: operation)
  }

  // MARK: Answers go out

  mutating func finish(_ token: CallToken, _ reply: [UInt8], _ gateway: inout GatewayState) {
    let end = end(of: token, nil, gateway)
    guard let request = calls.remove(token) else { return }
    gateway.act(.answer(request.answered(by: .reply), reply))
    if let end { gateway.act(.ended(end)) }
  }

  mutating func fail(_ token: CallToken, _ failure: Failure, _ gateway: inout GatewayState) {
    let end = end(of: token, failure, gateway)
    guard let request = calls.remove(token) else { return }
    answer(request, failure, &gateway)
    if let end { gateway.act(.ended(end)) }
  }

  func answer(_ request: FrameHeader, _ failure: Failure, _ gateway: inout GatewayState) {
    gateway.failures.count(failure, of: Opcode(rawValue: request.opcode).service)
    gateway.act(.answer(request.answered(by: .error), failure.encoded))
  }

  // MARK: The end

  /// The client was silent for a while: what is kept for its next calls is released.
  public mutating func rest() {
    calls.rest()
    if held.isEmpty { held = [] }
  }

  /// The connection is gone; answers that are still on their way are nobody's.
  public mutating func closed(_ gateway: inout GatewayState) {
    if case .closed = state { preconditionFailure("a connection has closed twice") }
    let end = endOfChannels
    tellGivenUp(&gateway)
    state = .closed
    held = []
    calls.removeAll()
    closeChannels(end, &gateway)
  }

  /// What ends when the connection does: a session that was revoked, or that was of this connection
  /// alone.
  private var endOfChannels: ChannelEnd {
    switch state {
    case .opening(let player, _), .player(let player), .closing(let player, _):
      ChannelEnd(endedInstance: player.isRevoked ? player.instance : 0)
    case .trusted(let caller, _):
      ChannelEnd(endedInstance: caller.endsWithConnection ? caller.instance : 0)
    case .anonymous, .closed: ChannelEnd()
    }
  }

  /// Ends the session at this connection and gives the client the next number, so that nothing of
  /// that session reaches it any more.
  ///
  /// - Parameter instance: the client instance that has ended with it; 0 while that goes on.
  mutating func endSession(ending instance: UInt64 = 0, _ gateway: inout GatewayState) {
    state = .anonymous
    closeChannels(ChannelEnd(endedInstance: instance), &gateway)
    number = number.successor
  }

  private mutating func closeChannels(_ end: ChannelEnd, _ gateway: inout GatewayState) {
    if !touched.isEmpty { gateway.act(.closeChannels(number, end, at: touched)) }
    touched = []
  }
}

extension FrameHeader {
  /// The header of the frame that answers a request.
  func answered(by kind: FrameKind) -> FrameHeader {
    FrameHeader(kind: kind, opcode: opcode, correlation: correlation)
  }
}
