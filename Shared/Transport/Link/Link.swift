public import Wire

/// The calling end of a connection that is made again whenever it is lost, and that many calls
/// share.
///
/// A link is confined to its loop and lives until `close` or the end of the loop. Its timers and
/// connections may therefore hold it strongly; weak references would make each use of it dearer.
///
/// Between attempts to connect it waits by exponential backoff with full jitter, so that a thousand
/// clients of a restarted server do not come back at one moment. The backoff starts over once a
/// frame has come over a connection.
public final class Link {
  static let backoffMillisecondsMin: UInt64 = 50
  static let backoffMillisecondsMax: UInt64 = 5_000
  /// By how much a deadline may be overrun.
  static let deadlineTickMilliseconds: UInt64 = 20
  /// The most bytes of calls that may wait for a connection.
  static let waitingBytesMax = 4 << 20
  /// Silent ticks after which the peer is given up. A tick is half of `pingMilliseconds`, and the
  /// ping leaves at the first silent one.
  static let silentTicksMax = 3
  /// Ticks without a frame to a peer that talks, after which it gets a ping: it gives up whom it
  /// does not hear.
  static let untoldTicksMax = 2

  enum Target {
    case tls(host: String, port: UInt16, TLSClientContext)
    case local(LocalPort, peerName: String?)
  }

  private enum State { case down, connecting, up, closed }

  public let loop: Loop
  public let limits: ConnectionLimits
  public var isUp: Bool { state == .up }
  /// Why the last connection was lost or the last attempt failed.
  public private(set) var lastFailure: CloseReason?
  /// Whether what ended last was a connection over which the peer had sent a frame. One that the
  /// peer does not accept ends without a frame.
  public private(set) var wasServed = false
  /// Called after the link has come up (true) or gone down (false); not for attempts that fail.
  public var onStateChange: ((Bool) -> Void)?
  /// Called for every attempt to connect that failed, and for every connection that was lost; for
  /// logs.
  public var onAttemptFailed: ((CloseReason) -> Void)?
  /// Called with how many milliseconds a call has taken, for every call that was answered or given
  /// up in time; as of the loop's turns, so that no clock is read for it.
  public var onCallEnd: ((UInt64) -> Void)?
  /// Called with the body of every call that has waited for a connection, before it is sent, and
  /// with how many milliseconds are left until its deadline, at least 1.
  public var onWaitEnd: ((inout [UInt8], UInt64) -> Void)?
  /// Called for every event from the peer. The body is valid for the length of the call.
  public var onEvent: ((FrameHeader, RawSpan) -> Void)?
  /// Whether a call that is made while the link is down waits, up to its deadline, or fails at
  /// once.
  public var waitsForConnection: Bool
  /// See `ConnectionLimits.pingMilliseconds`; a peer may say that it needs to hear more often.
  public var pingMilliseconds: UInt64 {
    didSet { if pingMilliseconds != oldValue, let connection, isUp { startPinging(connection) } }
  }
  /// Connections opened so far; all but the first were reconnections.
  public private(set) var openedCount = 0
  /// How many of them were resumed with a session ticket instead of a whole handshake.
  public private(set) var resumedCount = 0

  private var target: Target
  private var state = State.down
  private var connection: Connection?
  /// The host's addresses that this attempt has not tried yet, the next one last.
  private var untriedAddresses: [SocketAddress] = []
  private var session: TLSSession?
  /// Attempts since the last connection over which a frame came.
  private var attempts = 0
  private var calls = CallTable()
  /// Bytes of the calls that wait for a connection.
  private var waitingBytes = 0
  private var silentTicks = 0
  /// When the peer had been heard, as of the last tick.
  private var heardAt: UInt64 = 0
  /// The connection's `sentFrameCount` at the last tick.
  private var toldCount: UInt64 = 0
  private var untoldTicks = 0
  private var retryTimer: LoopTimer?
  private var deadlineTimer: LoopTimer?
  /// When `deadlineTimer` fires.
  private var deadlineDue: UInt64 = 0
  private var pingTimer: LoopTimer?

  /// Makes a link over TLS, which starts to connect at the end of this turn.
  public convenience init(
    on loop: Loop, host: String, port: UInt16, tls: TLSClientContext,
    limits: ConnectionLimits = .server, waitsForConnection: Bool = true
  ) {
    self.init(loop, .tls(host: host, port: port, tls), limits, waitsForConnection)
  }

  /// Makes a link in memory, for tests.
  public convenience init(
    on loop: Loop, to port: LocalPort, peerName: String? = nil,
    limits: ConnectionLimits = .server, waitsForConnection: Bool = true
  ) {
    self.init(loop, .local(port, peerName: peerName), limits, waitsForConnection)
  }

  private init(
    _ loop: Loop, _ target: Target, _ limits: ConnectionLimits, _ waitsForConnection: Bool
  ) {
    self.loop = loop
    self.target = target
    self.limits = limits
    pingMilliseconds = limits.pingMilliseconds
    self.waitsForConnection = waitsForConnection
    loop.onShutDown(self) { self.close() }
    // Not before the turn ends, because the owner has yet to set its closures.
    loop.atEndOfTurn { self.connect() }
  }

  /// Ends the link for good; every open call fails with `disconnected`.
  public func close() {
    if state == .closed { return }
    let wasUp = state == .up
    state = .closed
    loop.forgetShutDown(self)
    for timer in [retryTimer, deadlineTimer, pingTimer] { timer?.cancel() }
    connection?.close(.local("the link was closed"))
    fail(calls.takeAll(sentOnly: false), Failure(.disconnected, "the link was closed"))
    if wasUp { onStateChange?(false) }
    onStateChange = nil
    onEvent = nil
    onAttemptFailed = nil
    onCallEnd = nil
  }

  // MARK: Connecting

  private func connect() {
    guard state == .down else { return }
    state = .connecting
    wasServed = false
    switch target {
    case .local(let port, let peerName):
      guard let connection = port.connect(owner: self, limits: limits, peerName: peerName) else {
        failed(.connect("nobody listens"))
        return
      }
      self.connection = connection
    case .tls(let host, let port, _):
      loop.work {
        SocketAddress.resolve(host, port, passive: false)
      } then: { [self] result in
        guard state == .connecting else { return }
        switch result {
        case .success(let addresses):
          untriedAddresses = addresses.reversed()
          dial()
        case .failure(let reason): failed(reason)
        }
      }
    }
  }

  /// Tries the next address of the host.
  private func dial() {
    guard case .tls(let host, _, let tls) = target, let address = untriedAddresses.popLast() else {
      failed(lastFailure ?? .connect("the host has no address"))
      return
    }
    switch SystemSocket.connecting(address) {
    case .failure(let error): attemptFailed(.connect("\(address.text): \(error.text)"))
    case .success(let descriptor):
      SystemSocket.limitUnsent(descriptor, limits.unsentBytesMax)
      do {
        let socket = try TLSSocket(
          on: loop, descriptor: descriptor, context: tls.context,
          serverName: tls.serverName ?? host, session: session)
        // A ticket is used once; the connection brings the next one when it closes.
        session = nil
        socket.onSession = { [self] session in
          if session.isResumable, connects(with: tls) { self.session = session }
        }
        let connection = Connection(
          on: loop, socket: socket, address: address.text, limits: SharedLimits(limits),
          owner: self)
        self.connection = connection
        socket.start(connection)
      } catch {
        attemptFailed(error)
      }
    }
  }

  private func connects(with tls: TLSClientContext) -> Bool {
    if case .tls(_, _, let current) = target { current === tls } else { false }
  }

  /// Trusts and shows what another context does, from the next connection on; one that is there
  /// lives on. The next one begins without a ticket: by that the server would not show its
  /// certificate again, and might be of an authority that is not trusted any more.
  public func renew(_ tls: TLSClientContext) {
    guard case .tls(let host, let port, _) = target else { return }
    target = .tls(host: host, port: port, tls)
    session = nil
  }

  private func attemptFailed(_ reason: CloseReason) {
    lastFailure = reason
    if untriedAddresses.isEmpty { failed(reason) } else { dial() }
  }

  /// Connects again after a random part of a time that doubles with every attempt.
  private func failed(_ reason: CloseReason) {
    lastFailure = reason
    state = .down
    let waitMax = min(
      Self.backoffMillisecondsMax, Self.backoffMillisecondsMin << UInt64(min(attempts, 10)))
    attempts += 1
    retryTimer = loop.after(UInt64.random(in: 0...waitMax)) { [self] in connect() }
    onAttemptFailed?(reason)
  }

  /// Sends a ping to a silent peer, and gives it up when it does not answer. Called at every tick.
  ///
  /// Silence is counted in ticks and not read off the clock: between two ticks the loop has looked
  /// at the socket, so a process that was held up itself does not blame its peer. Every byte
  /// counts: of a large reply over a slow line, the end is far away.
  private func ping(_ connection: Connection) {
    untoldTicks = connection.sentFrameCount == toldCount ? untoldTicks + 1 : 0
    toldCount = connection.sentFrameCount
    let lastHeardAt = max(connection.activeAt, connection.readAt)
    let isHeard = lastHeardAt != heardAt
    heardAt = lastHeardAt
    // The peer was heard since the last tick, however late this tick is; or it was heard so lately
    // that a ping is not due.
    if isHeard || loop.monotonicMilliseconds - heardAt < pingMilliseconds {
      silentTicks = 0
      if untoldTicks >= Self.untoldTicksMax { sendPing(connection) }
      return
    }
    silentTicks += 1
    if silentTicks == 1 {
      sendPing(connection)
    } else if silentTicks == Self.silentTicksMax {
      connection.close(.idle)
    }
  }

  private func sendPing(_ connection: Connection) {
    connection.send(FrameHeader(kind: .ping, opcode: 0, correlation: 1), body: [])
  }

  private func startPinging(_ connection: Connection) {
    pingTimer?.cancel()
    pingTimer = nil
    (silentTicks, untoldTicks) = (0, 0)
    if pingMilliseconds > 0 {
      pingTimer = loop.every(max(pingMilliseconds / 2, 1)) { [self] in ping(connection) }
    }
  }

  // MARK: Calling

  /// Calls the peer. The completion runs exactly once, never from inside this call.
  ///
  /// It gets the body of the reply, or the failure that the peer sent, or one of the link's own:
  /// - `deadlineExceeded`: no answer came in time; the outcome is unknown.
  /// - `disconnected`: the connection was lost and the outcome is unknown, or none could be made in
  ///   time and nothing was sent.
  /// - `backpressure`: too much waits to be sent, or too many calls are open; nothing was sent.
  /// - `limitReached`: the call is larger than a frame; nothing was sent.
  public func call(
    _ opcode: UInt16, body: [UInt8], deadlineMilliseconds: UInt64,
    completion: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    unsafe start(
      opcode, prefix: [], body: body.span.bytes, deadlineMilliseconds, .bytes(completion))
  }

  /// Calls the peer with `prefix` followed by `body`, and hands over the answer without a copy.
  ///
  /// The completion gets `.reply` or `.error` and the body, which is valid for the length of the
  /// call; it promises what `call` promises. A failure of the link comes as an `.error` whose body
  /// is the encoded failure.
  public func forward(
    _ opcode: UInt16, prefix: [UInt8], body: RawSpan, deadlineMilliseconds: UInt64,
    completion: @escaping (FrameKind, RawSpan) -> Void
  ) {
    start(opcode, prefix: prefix, body: body, deadlineMilliseconds, .forward(completion))
  }

  /// Does the same, but tells the answer to `answerer`, which it holds until then.
  public func forward(
    _ opcode: UInt16, prefix: [UInt8], body: RawSpan, deadlineMilliseconds: UInt64,
    to answerer: any CallAnswerer, tag: UInt64
  ) {
    start(opcode, prefix: prefix, body: body, deadlineMilliseconds, .tagged(answerer, tag))
  }

  private func start(
    _ opcode: UInt16, prefix: [UInt8], body: RawSpan, _ milliseconds: UInt64,
    _ completion: CallCompletion
  ) {
    let size = prefix.count + body.byteCount
    if let refusal = refusal(size) { return refuse(completion, refusal) }
    let deadline = loop.monotonicMilliseconds + milliseconds
    let unsentBody = state == .up ? nil : prefix + [UInt8](copying: body)
    let call = CallTable.Call(
      opcode: opcode, deadline: deadline, completion: completion, unsentBody: unsentBody,
      began: loop.monotonicMilliseconds)
    guard let correlation = calls.add(call) else {
      return refuse(completion, .backpressure(.linkCalls))
    }
    if let unsentBody {
      waitingBytes += unsentBody.count
    } else {
      let header = FrameHeader(kind: .request, opcode: opcode, correlation: correlation)
      connection?.send(header, prefix: prefix, body: body)
    }
    watchDeadline(deadline)
  }

  private func refuse(_ completion: CallCompletion, _ refusal: Failure) {
    // A loop that is over has no more turns, and the promise to complete holds all the same.
    if loop.isOver { completion.fail(refusal) }
    loop.atEndOfTurn { completion.fail(refusal) }
  }

  /// Makes sure that deadlines are checked when this one has come. One timer serves all calls: it
  /// fires at the earliest deadline it was given, even if that call was answered meanwhile.
  private func watchDeadline(_ deadline: UInt64) {
    let due = max(deadline, loop.monotonicMilliseconds + Self.deadlineTickMilliseconds)
    if deadlineTimer != nil && due >= deadlineDue { return }
    deadlineDue = due
    deadlineTimer?.cancel()
    deadlineTimer = loop.after(deadlineDue - loop.monotonicMilliseconds) { [self] in
      deadlineTimer = nil
      checkDeadlines()
    }
  }

  /// Returns why a call of `size` bytes cannot be made now; nil when it can, if the table of open
  /// calls has room.
  private func refusal(_ size: Int) -> Failure? {
    if size + WireLimits.frameHeaderSize > WireLimits.frameSizeMax {
      return Failure(.limitReached, "the call has \(size) bytes, more than a frame holds")
    }
    if state == .up, let connection {
      if connection.outgoingBytes + size > limits.outgoingBytesMax / 2 {
        return .backpressure(.linkBytes)
      }
      return nil
    }
    if state == .closed || !waitsForConnection {
      return Failure(.disconnected, "not connected: \(lastFailure?.text ?? "not yet")")
    }
    if waitingBytes + size > Self.waitingBytesMax {
      return .backpressure(.linkWaiting)
    }
    return nil
  }

  private func checkDeadlines() {
    for call in calls.takeExpired(loop.monotonicMilliseconds) {
      onCallEnd?(loop.monotonicMilliseconds - call.began)
      if let body = call.unsentBody {
        waitingBytes -= body.count
        let why = lastFailure?.text ?? "still connecting"
        call.completion.fail(Failure(.disconnected, "not connected in time: \(why)"))
      } else {
        call.completion.fail(Failure(.deadlineExceeded, "No answer came in time."))
      }
    }
    if let deadline = calls.earliestDeadline { watchDeadline(deadline) }
  }

  private func fail(_ lost: [CallTable.Call], _ failure: Failure) {
    for call in lost {
      waitingBytes -= call.unsentBody?.count ?? 0
      call.completion.fail(failure)
    }
  }
}

extension Link: ConnectionOwner, ConnectionDelegate {
  var isCrowded: Bool { false }

  func handshakesAreHeldUp() {}

  func connectionOpened(_ connection: Connection) {
    connection.yieldsToPressure = false
    connection.delegate = self
  }

  public func connectionReady(_ connection: Connection) {
    state = .up
    untriedAddresses = []
    openedCount += 1
    if let socket = connection.socket as? TLSSocket, socket.isResumed { resumedCount += 1 }
    sendWaiting(over: connection)
    startPinging(connection)
    onStateChange?(true)
  }

  private func sendWaiting(over connection: Connection) {
    let now = loop.monotonicMilliseconds
    for call in calls.takeUnsent() {
      waitingBytes -= call.body.count
      var body = call.body
      onWaitEnd?(&body, call.deadline > now ? call.deadline - now : 1)
      connection.send(
        FrameHeader(kind: .request, opcode: call.opcode, correlation: call.correlation),
        body: body)
    }
    precondition(waitingBytes == 0, "bytes wait for the connection that is there")
  }

  public func connection(
    _ connection: Connection, received header: FrameHeader, body: RawSpan
  ) {
    switch header.kind {
    case .reply, .error:
      guard let call = calls.take(header.correlation) else { return }
      onCallEnd?(loop.monotonicMilliseconds - call.began)
      call.completion.succeed(header.kind, body)
    case .event: onEvent?(header, body)
    case .request, .ping: break
    }
  }

  public func connectionClosed(_ connection: Connection, reason: CloseReason) {
    guard connection === self.connection else { return }
    self.connection = nil
    pingTimer?.cancel()
    pingTimer = nil
    if state == .closed { return }
    if state == .up {
      wasServed = connection.hasReceivedFrame
      if wasServed { attempts = 0 }
      failed(reason)
      let failure = Failure(.disconnected, "the connection was lost: \(reason.text)")
      fail(calls.takeAll(sentOnly: true), failure)
      onStateChange?(false)
    } else {
      attemptFailed(reason)
    }
  }
}
