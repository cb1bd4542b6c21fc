internal import Transport

/// The client on its loop: it performs what its state machines decide, and decides nothing itself.
///
/// It is confined to the loop's thread; `MusterClient` is the only way in.
final class ClientCore {
  /// How much later than the call's own deadline the link's deadline is. A call that was given up
  /// counts as under way for so long, because its answer may still come.
  static let answerGraceMilliseconds: UInt64 = 5_000

  /// The silence after which a client that plays a match sends a ping. After twice that it makes a
  /// new connection, which leaves it most of the match's grace time.
  static let matchPingMilliseconds: UInt64 = 5_000

  let loop: Loop
  let configuration: MusterConfiguration
  let status: ClientStatus
  let checkThread: () -> Void
  private let makeLink: (Loop) throws(MusterError) -> Link
  private let wakes: TaskWakes
  private(set) var link: Link?
  var machine: SessionMachine
  var book: CallBook
  /// Who waits for the answers to calls.
  private var waiters: [UInt64: CallWaiter] = [:]
  private var isClosed = false
  private var alarm: (due: UInt64, timer: LoopTimer)?
  /// As it was when the times of all calls were looked at.
  private var lastGate = CallBook.Gate.shut

  /// The sign-in for which somebody waits.
  var signIn: (deadline: UInt64, done: (Result<SessionInfo, MusterError>) -> Void)?
  /// The trace of its greetings; nil until the first was sent.
  var signInTrace: TraceID?
  /// The session that has begun, until whoever signs in was told: that waits until the new state
  /// can be read.
  var welcome: SessionInfo?
  var feeds: [UInt64: Feed] = [:]
  /// Knows where a resumed session goes on.
  var follower = StreamFollower()
  /// Every event up to here was acknowledged.
  var acknowledged: UInt64 = 0
  /// Consumers that have left had dealt with every event up to here.
  var settledThrough: UInt64 = 0
  var isAcknowledging = false
  var matches: [ContextID: OpenMatch] = [:] {
    didSet { if matches.isEmpty != oldValue.isEmpty { tendPing() } }
  }
  /// The silence after which the server gives up a client.
  var idleMilliseconds = UInt64.max
  /// Counts entries into contexts, and departures, to tell what was read before from what is so
  /// now.
  var contextChangeCount = 0
  var frictionless = FrictionlessCache()
  /// An invite token that a player has come with, whose claim has got no answer.
  var pendingClaim: (player: PlayerID, token: InviteToken)?
  /// Of those who wait for a ticket.
  var tickers: [UInt64: LoopTimer] = [:]
  var invites = MatchInviteInbox()
  /// Of news about invitations, by the number of each.
  var inviteListeners: [UInt64: AsyncStream<MatchInviteNews>.Continuation] = [:]
  var inviteListenerCount: UInt64 = 0

  init(
    loop: Loop, configuration: MusterConfiguration, status: ClientStatus,
    checkThread: @escaping () -> Void,
    makeLink: @escaping (Loop) throws(MusterError) -> Link
  ) {
    self.loop = loop
    self.configuration = configuration
    self.status = status
    self.checkThread = checkThread
    self.makeLink = makeLink
    wakes = TaskWakes.shared(on: loop)
    machine = SessionMachine(retry: configuration.retry)
    book = CallBook(
      retry: configuration.retry,
      traces: TraceSource(
        high: .random(in: .min ... .max), low: .random(in: .min ... .max)))
  }

  /// The loop's clock. Almost everything here reads it, so a call from another thread is caught
  /// here.
  var now: UInt64 {
    checkThread()
    return loop.monotonicMilliseconds
  }

  // MARK: The link

  /// Makes the link, if there is none. A client on which nobody signs in has none for long, since
  /// the server keeps no connection for it.
  func open() throws(MusterError) {
    if isClosed || link != nil { return }
    let link = try makeLink(loop)
    self.link = link
    link.onStateChange = { [weak self, weak link] isUp in
      if let self, let link, link === self.link { linkChanged(isUp) }
    }
    link.onAttemptFailed = { [weak self] reason in
      guard let self, !machine.isSignedOut else { return }
      status.post(.waiting(reason: reason.text))
    }
    link.onEvent = { [weak self] header, body in
      self?.received(header, unsafe body.withUnsafeBytes { unsafe Array($0) })
    }
  }

  private func linkChanged(_ isUp: Bool) {
    if isUp {
      perform(machine.linkUp())
    } else {
      lost(link?.lastFailure?.text ?? "the connection was lost")
      if isIdle { dropLink() }
    }
  }

  /// Whether nobody needs a connection. Whoever calls or signs in next opens one.
  private var isIdle: Bool { machine.isSignedOut && book.calls.isEmpty }

  private func dropLink() {
    let old = link
    link = nil
    old?.close()
  }

  private func reopen() {
    do {
      try open()
    } catch {
      status.post(.waiting(reason: error.text))
    }
  }

  private func lost(_ reason: String) {
    for match in matches.values { match.disconnected() }
    invites.disconnected()
    deliver(book.connectionLost())
    perform(machine.linkDown(reason))
  }

  private func renewLink() {
    dropLink()
    lost("the connection is made anew")
    if !isIdle { reopen() }
  }

  func close() {
    if isClosed { return }
    isClosed = true
    machine.close()
    dropLink()
    alarm?.timer.cancel()
    for ticker in tickers.values { ticker.cancel() }
    tickers = [:]
    for feed in feeds.values { feed.stopWaiting() }
    for match in matches.values { match.end(.closed) }
    feeds = [:]
    matches = [:]
    for listener in inviteListeners.values { listener.finish() }
    inviteListeners = [:]
    for id in waiters.keys.sorted() {
      deliver(CallBook.Answer(id: id, result: .failure(.clientClosed)))
    }
    finishSignIn(.failure(.clientClosed))
  }

  // MARK: Calls

  /// Returns the id for a new call.
  func reserveCall() -> UInt64 { status.nextCallID() }

  func handle(_ order: ClientOrder) {
    switch order {
    case .call(let call): begin(call.id, .task(call), within: call.milliseconds)
    case .cancel(let id): cancel(id)
    case .close: close()
    }
  }

  func call(
    _ id: UInt64, _ request: CallBook.Request, within milliseconds: UInt64,
    done: @escaping (Result<[UInt8], MusterError>) -> Void
  ) {
    begin(id, .closure(request, done), within: milliseconds)
  }

  private func begin(_ id: UInt64, _ waiter: CallWaiter, within milliseconds: UInt64) {
    if isClosed { return answer(waiter, .failure(.clientClosed)) }
    let deadline = now + milliseconds
    let refusal = book.add(
      id, waiter.request, deadline: deadline, isSignedOut: machine.isSignedOut)
    if let refusal { return answer(waiter, refusal.result) }
    waiters[id] = waiter
    reopen()
    pump()
  }

  func cancel(_ id: UInt64) {
    if let answer = book.cancel(id) { deliver([answer]) }
    pump()
  }

  func deliver(_ answers: [CallBook.Answer]) {
    for answer in answers { deliver(answer) }
  }

  private func deliver(_ answer: CallBook.Answer) {
    guard let waiter = waiters.removeValue(forKey: answer.id) else { return }
    switch answer.result {
    case .success(let reply): observe(waiter.request, reply)
    case .failure(let error): observe(waiter.request, error)
    }
    self.answer(waiter, answer.result)
  }

  private func answer(_ waiter: CallWaiter, _ result: Result<[UInt8], MusterError>) {
    switch waiter {
    case .task(let call): wakes.wake(call, result)
    case .closure(_, let done): done(result)
    }
  }

  /// Sends the calls that may go, and sets the alarm for those that wait for a time.
  func pump() {
    let gate = link?.isUp == true ? machine.gate : .shut
    for transmission in book.transmissions(gate, now: now) { send(transmission) }
    var due = wakeTime(gate)
    if let signIn { due = min(due ?? .max, signIn.deadline) }
    if let due { setAlarm(due) }
  }

  /// When to look again. With an alarm set, only what is new since the last look can be earlier,
  /// unless the gate has moved: otherwise each of a thousand open calls would look at all.
  private func wakeTime(_ gate: CallBook.Gate) -> UInt64? {
    let new = book.takeNewTime()
    if alarm != nil && gate == lastGate { return new }
    lastGate = gate
    return book.wakeTime(gate, now: now)
  }

  private func send(_ transmission: CallBook.Transmission) {
    let limit = UInt64(transmission.envelope.deadlineMilliseconds) + Self.answerGraceMilliseconds
    link?.call(
      transmission.opcode.rawValue,
      body: Enveloped.join(transmission.envelope, transmission.body),
      deadlineMilliseconds: limit
    ) { [weak self] result in
      guard let self else { return }
      let answer = book.answered(
        transmission.id, attempt: transmission.attempt, result, now: now)
      if let answer { deliver(answer) }
      pump()
    }
  }

  /// Makes sure that the alarm rings at `due` or before. It is never moved to a later time, because
  /// then every call would set it anew; one that rings too early only costs a look.
  private func setAlarm(_ due: UInt64) {
    if let alarm, alarm.due <= due { return }
    alarm?.timer.cancel()
    let timer = loop.after(due > now ? due - now : 0) { [weak self] in self?.ring() }
    alarm = (due, timer)
  }

  private func ring() {
    alarm = nil
    let obstacle = link?.isUp == true ? nil : link?.lastFailure?.text
    deliver(book.expire(now: now, obstacle: obstacle, refusal: machine.passingRefusal))
    if let signIn, signIn.deadline <= now { giveUpSignIn(.deadlineExceeded) }
    pump()
  }

  // MARK: The session

  func perform(_ actions: [SessionMachine.Action]) {
    var (isReady, isNew) = (false, false)
    for action in actions {
      switch action {
      case .greet(let greeting, let number): greet(greeting, number)
      case .retry(let milliseconds):
        loop.after(milliseconds) { [weak self] in
          guard let self else { return }
          perform(machine.retryIsDue())
        }
      case .renewLink: renewLink()
      case .forgetPlace: forgetPlace()
      case .ready(let started, let isNewInstance):
        begin(started, isNewInstance)
        (isReady, isNew) = (true, isNew || isNewInstance)
      case .refuse(let failure, let cause):
        finishSignIn(.failure(MusterError(failure, cause: cause)))
      case .ended(let failure, let cause): end(failure, cause: cause)
      case .post(let state): status.post(state)
      }
    }
    if let info = welcome {
      welcome = nil
      finishSignIn(.success(info))
    }
    // Hints that the player has left it may be lost.
    if isReady { readContext() }
    if isNew { readCurrentContext() }
    pump()
  }
}
