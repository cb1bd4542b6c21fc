import Domain
import GatewayCore
import MusterKit
import Operations
import ServiceKit
import Wire

/// A client on a simulated connection. The client library's own machines decide: `CallBook` what is
/// sent and repeated, `SessionMachine` how a session is kept, `StreamFollower` and `EventFeed`
/// which events reach the game. This class carries out what they say. Every third client takes its
/// events as the protocol's page says, without these two.
final class SimulatedClient {
  /// How long most calls may take, in milliseconds: long enough for the answer to come in the end.
  static let patience: UInt64 = 10 * 60_000

  let player: PlayerID
  let kind: PrincipalKind
  /// What the game was given of the player's stream.
  var feed = EventLog()
  /// Of a device that is not its player's first.
  var device: LaterDevice?
  /// The hints that came, in order.
  var hints: [HintEvent] = []
  private(set) var blocks = AcknowledgedBlocks()
  /// By context, those that are over too.
  var matches: [ContextID: SimulatedMatch] = [:]
  /// Open calls of them.
  var matchCalls = 0
  private(set) var gateway: Int
  let deployment: Deployment
  let attempt: RoutingKey
  var credential: Credential?
  var machine = SessionMachine()
  var book: CallBook
  private var lastCallID: UInt64 = 0
  var events: EventFeed
  /// Since a session has begun: a client does not forget its place twice before the next one.
  var hasToldFalsePlace = false
  var follower = StreamFollower()
  /// Of a client that follows the page.
  var paged: PagedFeed?
  var isDraining = false
  var instance: UInt64 = 0
  var line: ClientLine?
  private(set) var refusals = 0
  /// The callbacks of the calls for which the game waits.
  private var completions: [UInt64: (Result<[UInt8], MusterError>) -> Void] = [:]
  /// The keys under which calls were sent last.
  private var keys: [UInt64: Ledger.CallKey] = [:]
  /// The connection's open calls, by correlation.
  private var open: [UInt32: (Result<[UInt8], Failure>) -> Void] = [:]
  private var correlation: UInt32 = 0
  private var alarm = UInt64.max
  /// It is about to acknowledge what it has got.
  var hasAcknowledgement = false
  /// The greeting under way was sent when the player was surely banned.
  var hasGreetedBanned = false
  /// It was told that its player is erased.
  var hasLearned = false
  /// It is gone for good.
  var hasVanished = false
  let displayName: String
  /// How often the client's process was started. What one life scheduled does not run in the next.
  private var life = 0

  /// - Parameter first: the first device of the same player, where this is another one.
  init(
    _ number: UInt64, kind: PrincipalKind = .player, besides first: SimulatedClient? = nil,
    deployment: Deployment
  ) {
    attempt = RoutingKey(high: 0xa77e_0000, low: number)
    let made = kind == .player ? deployment.keyring.player(of: attempt) : PlayerID()
    player = first?.player ?? made
    self.kind = kind
    self.deployment = deployment
    displayName = first?.displayName ?? "Player\(number)x"
    gateway = Int(number) % Deployment.gatewayCount
    events = EventFeed(after: StreamPlace(), capacity: Self.feedCapacity)
    if kind == .player && number.isMultiple(of: 3) { paged = PagedFeed() }
    book = Self.book(deployment)
    guard first != nil else { return }
    (feed, device) = (EventLog(from: nil), LaterDevice())
    events = EventFeed(capacity: Self.feedCapacity)
  }

  private static func book(_ deployment: Deployment) -> CallBook {
    var limits = CallBook.Limits()
    limits.windowMax = deployment.options.answersMax
    return CallBook(limits: limits)
  }

  var schedule: Schedule { deployment.schedule }
  var now: UInt64 { UInt64(schedule.now) }
  var isReady: Bool { gate == .session }
  private var gate: CallBook.Gate { line?.isUpAtClient == true ? machine.gate : .shut }
  /// Whether the player exists for the others: its client has signed in.
  var hasSignedIn: Bool { instance != 0 }
  var openCount: Int { completions.count - matchCalls }
  var isIdle: Bool { isAway || isReady && completions.isEmpty && isUpToDate && matchesAreIdle }

  var state: String {
    let calls = book.calls.sorted { $0.key < $1.key }.map {
      "\($0.value.request.name) sent \($0.value.attempt) times: \($0.value.lastFailure?.text ?? "")"
    }
    return "\(player) \(kind), \(machine.phase), events \(feed.through) of \(follower.streamEnd), "
      + "calls \(calls) matches \(matches.values.filter { !$0.isIdle }.map(\.state))"
  }

  /// Does something later, if the client's process still lives then.
  func later(_ milliseconds: Int64, _ body: @escaping () -> Void) {
    let life = life
    schedule.after(milliseconds) { [self] in
      if life == self.life { body() }
    }
  }

  // MARK: Life

  func start() {
    connect()
    if kind == .player { signUp() } else { signIn() }
  }

  /// Whether it is known to be banned when it greets.
  var greetsBanned: Bool { kind == .player && deployment.bans.contains(player) }

  var isAway: Bool { hasVanished || device?.isAway == true }

  /// The device is switched off, for however long.
  func goAway() {
    guard credential != nil, openCount == 0, isIdle else { return }
    device?.isAway = true
    disconnect()
  }

  func comeBack() {
    guard isAway, !hasVanished else { return }
    device?.isAway = false
    if line == nil { connect() }
  }

  /// The connection is lost; another one is made, perhaps to another gateway.
  func disconnect() { line?.breakAtClient() }

  /// The client's process dies and starts again: it knows what the game has kept, which is the
  /// credential and its place in the stream.
  func restart() {
    guard credential != nil, !isAway, !hasLearned else { return disconnect() }
    loseMatches()
    life += 1
    deployment.clientDeaths += 1
    line?.closedAtClient = {}
    line?.breakAtClient()
    (machine, book) = (SessionMachine(), Self.book(deployment))
    endEvents()
    (isDraining, alarm, hasAcknowledgement) = (false, .max, false)
    (completions, keys, open) = ([:], [:], [:])
    later(schedule.number(5...120)) { [self] in
      connect()
      signIn()
    }
  }

  func connect() {
    gateway = Int(schedule.number(0...Int64(Deployment.gatewayCount - 1)))
    let line = ClientLine(schedule: schedule)
    self.line = line
    line.toClient = { [unowned self] in received($0, $1) }
    line.closedAtClient = { [unowned self] in lost() }
    deployment.gateways[gateway].accept(line)
    perform(machine.linkUp())
  }

  private func lost() {
    line = nil
    let lost = open.sorted { $0.key < $1.key }
    open = [:]
    for (_, done) in lost { done(.failure(Failure(.disconnected, "the connection was lost"))) }
    for match in openMatches { match.disconnected() }
    deliver(book.connectionLost())
    perform(machine.linkDown("the connection was lost"))
    later(absence) { [self] in
      if line == nil && !isAway { connect() }
    }
  }

  /// Milliseconds until there is another connection; now and then longer than a short grace time.
  private var absence: Int64 {
    let isLong = deployment.options.isMeeting && schedule.isChance(oneIn: 12)
    return isLong ? schedule.number(500...4_000) : schedule.number(5...120)
  }

  /// Makes the connection anew, since nobody knows what session this one has.
  func renewLine() { line?.breakAtClient() }

  private func received(_ header: FrameHeader, _ body: [UInt8]) {
    if header.kind == .event { checkErased(in: body) }
    if kind == .player, let fault = deployment.secrets.look(body, told: player, now: schedule.now) {
      deployment.fail(fault)
    }
    if header.kind == .event { return pushed(Opcode(rawValue: header.opcode), body) }
    guard let done = open.removeValue(forKey: header.correlation) else { return }
    if header.kind == .reply { return done(.success(body)) }
    guard let failure = try? Failure(decoding: body) else {
      return deployment.fail("an error to \(player) cannot be read")
    }
    done(.failure(failure))
  }

  /// Nobody is told of who was erased; a reply calls by their ids whom the call has named.
  private func checkErased(in body: [UInt8], askedFor asked: [UInt8] = []) {
    guard kind == .player, !deployment.doomed.contains(player) else { return }
    for erased in namedOfErased(body).subtracting(namedOfErased(asked)) {
      deployment.fail("7.3 \(player) is told of \(erased), who was erased")
    }
  }

  // MARK: Calls

  func call<O: Operation>(
    _ operation: O, _ done: @escaping (Result<O.Reply, Failure>) -> Void = { _ in }
  ) {
    let patience =
      schedule.isChance(oneIn: 12) ? UInt64(schedule.number(20...3_000)) : Self.patience
    call(CallBook.Request(operation), within: patience) { [self] result in
      switch result {
      case .failure(let error): done(.failure(error.failure))
      case .success(let body):
        guard let reply = try? O.Reply(decoding: body) else {
          return deployment.fail("the reply to \(O.name) cannot be read")
        }
        done(.success(reply))
      }
    }
  }

  func call(
    _ request: CallBook.Request, _ id: UInt64? = nil, within milliseconds: UInt64,
    _ done: @escaping (Result<[UInt8], MusterError>) -> Void
  ) {
    let id = id ?? nextCallID()
    let refusal = book.add(
      id, request, deadline: now + milliseconds, isSignedOut: machine.isSignedOut)
    completions[id] = { [self] result in
      if case .success(let reply) = result { checkErased(in: reply, askedFor: request.body) }
      done(result)
    }
    if let refusal { deliver([refusal]) }
    pump()
  }

  func nextCallID() -> UInt64 {
    lastCallID += 1
    return lastCallID
  }

  func cancel(_ id: UInt64) {
    if let answer = book.cancel(id) { deliver([answer]) }
    pump()
  }

  /// Sends the calls that may be sent, and schedules the next look at deadlines and delays.
  func pump() {
    for transmission in book.transmissions(gate, now: now) { send(transmission) }
    guard let due = book.wakeTime(gate, now: now), due < alarm else { return }
    alarm = due
    later(Int64(due) - schedule.now) { [self] in
      if alarm == due { alarm = .max }
      deliver(book.expire(now: now))
      pump()
    }
  }

  private func send(_ transmission: CallBook.Transmission) {
    var envelope = transmission.envelope
    note(transmission, &envelope)
    blocks.sends(transmission.opcode, transmission.body)
    send(transmission.opcode, envelope, transmission.body) { [self] result in
      if case .success = result {
        blocks.succeeded(transmission.opcode, transmission.body)
        device?.succeeded(
          transmission.opcode, transmission.body, newest: streamCount,
          lagMax: deployment.deviceLag)
      }
      let answer = book.answered(
        transmission.id, attempt: transmission.attempt, result, now: now)
      if let answer { deliver([answer]) }
      pump()
    }
  }

  /// Notes in the ledger which call has which key.
  private func note(_ transmission: CallBook.Transmission, _ envelope: inout ClientEnvelope) {
    if transmission.attempt > 1 { deployment.ledger.repeated() }
    // What may run twice is not remembered under its key.
    guard envelope.idempotency.isPresent,
      book.calls[transmission.id]?.request.isIdempotent != true
    else { return }
    let key = Ledger.CallKey(instance: instance, counter: envelope.idempotency.counter)
    if keys[transmission.id] != key {
      deployment.ledger.ask(
        key,
        .init(
          player: player, opcode: transmission.opcode, body: transmission.body,
          askedAt: schedule.now))
      keys[transmission.id] = key
    } else if deployment.options.canary == .newKey {
      envelope.idempotency.counter += 100_000
    }
  }

  func send(
    _ opcode: Opcode, _ envelope: ClientEnvelope, _ body: [UInt8],
    _ done: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    guard let line, line.isUpAtClient else { return deployment.fail("sent without a connection") }
    correlation += 1
    var envelope = envelope
    let number = correlation
    envelope.trace = UInt64(number)
    open[number] = done
    line.send(
      FrameHeader(kind: .request, opcode: opcode.rawValue, correlation: number),
      Enveloped.join(envelope, body))
    later(Int64(envelope.deadlineMilliseconds) + 5_000) { [self] in
      open.removeValue(forKey: number)?(.failure(Failure(.deadlineExceeded, "no answer in time")))
    }
  }

  func deliver(_ answers: [CallBook.Answer]) {
    for answer in answers {
      let key = keys.removeValue(forKey: answer.id)
      guard let done = completions.removeValue(forKey: answer.id) else { continue }
      switch answer.result {
      case .success(let body):
        if let key { deployment.ledger.told(key, .reply(body), now: schedule.now) }
      case .failure(let error):
        if !error.isOutcomeUnknown, let key {
          refusals += 1
          deployment.ledger.told(key, .failure(error.failure), now: schedule.now)
        }
      }
      done(answer.result)
    }
  }
}
