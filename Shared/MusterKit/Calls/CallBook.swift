/// The open calls of a client: it decides which idempotency key each has, which may be sent now,
/// and which must be sent again.
///
/// It is a value without clock or connection; times are milliseconds of any clock that does not go
/// back. It keeps these rules:
/// - A call has one trace, which it keeps over every repetition.
/// - A call that changes something gets its key when it is first sent, and keeps it over every
///   repetition.
/// - The floor never passes the key of a call that may still be repeated or is still under way.
/// - No more than `openMax` calls are under way, and no more than `waitingMax` wait.
/// - A call's counter is less than `windowMax` above the floor, so that the server has room for the
///   answer. A call that changes something waits for that; others may overtake it.
package struct CallBook {
  /// Which calls may be sent now: none, those that need no session, or all.
  package enum Gate: Equatable { case shut, anonymous, session }

  package struct Limits: Sendable {
    /// Calls that may be under way; the gateway takes as many from one connection.
    package var openMax = 64
    /// Of these, calls with data of matches: what these repeat leaves room for all else.
    package var dataOpenMax: Int { max(1, openMax * 3 / 4) }
    /// Answers above the floor that the server remembers.
    package var windowMax = WireLimits.answersMax
    /// Calls that wait for a connection or for their turn; more are refused with `backpressure`.
    /// Data of matches does not count.
    package var waitingMax = 1024
    /// The most bytes of an operation: a client's frame without its header and the envelope.
    package var bodySizeMax = WireLimits.clientFrameSizeMax - WireLimits.frameHeaderSize - 128

    package init() {}
  }

  package struct Request: Sendable {
    package var opcode: Opcode
    private let type: any Operation.Type
    package var access: Access
    package var isReadOnly: Bool
    /// Whether the operation changes something but may run twice all the same.
    package var isIdempotent: Bool
    package var body: [UInt8]
    /// Whether the call is given up when the connection is lost, because its meaning was bound to
    /// the connection.
    package var diesWithConnection = false
    /// Whether the call is made again when the server has refused it for a time.
    package var waitsForBudget = true
    /// Whether the call is data of a match, of which the match's seat bounds how much waits.
    package var isMatchData = false
    /// Whether the call is seen through to its answer once it was sent, also when whoever waits for
    /// it is cancelled: what it begins waits for the player, and is taken back by an id that only
    /// the reply tells.
    package var isSeenThrough: Bool {
      opcode == FindMatch.opcode || opcode == InvitePlayers.opcode
    }

    /// For sentences about errors: to find a type's name takes longer than to encode a call.
    package var name: String { type.name }

    package init<O: Operation>(_ operation: O, diesWithConnection: Bool = false) {
      opcode = O.opcode
      type = O.self
      access = O.access
      isReadOnly = O.isReadOnly
      isIdempotent = O.isIdempotent
      body = operation.encoded
      self.diesWithConnection = diesWithConnection
    }
  }

  /// One sending of a call. The attempt tells its answer from the answer to an earlier sending.
  package struct Transmission: Equatable {
    package var id: UInt64
    package var attempt: Int
    package var opcode: Opcode
    package var envelope: ClientEnvelope
    package var body: [UInt8]
  }

  package struct Answer: Equatable {
    package var id: UInt64
    package var result: Result<[UInt8], MusterError>
  }

  package struct OpenCall {
    package var request: Request
    package var deadline: UInt64
    package var trace: TraceID
    /// The counter of the call's key; 0 until it was first sent, and for calls that need no key.
    package var counter: UInt64 = 0
    package var attempt = 0
    package var isUnderWay = false
    /// Whether it was sent and no answer has told what became of it.
    package var mayHaveRun = false
    /// Whether nobody waits for the answer any more.
    package var isAbandoned = false
    /// The time before which it is not sent again.
    package var notBefore: UInt64 = 0
    package var failures = 0
    package var lastFailure: Failure?
    /// The last time that the server refused it for a time, and did nothing.
    package var lastRefusal: PassingRefusal?
  }

  package private(set) var limits: Limits
  package let retry: RetryPolicy
  package var calls: [UInt64: OpenCall] = [:]
  /// Calls that are not under way, the oldest first.
  var waiting: [UInt64] = []
  private(set) var underWayCount = 0
  private var dataUnderWayCount = 0
  private var counterNext: UInt64 = 1
  private var newTime: UInt64?
  private var traces: TraceSource

  /// - Parameter traces: seeded with random numbers in a client that calls a server.
  package init(
    limits: Limits = Limits(), retry: RetryPolicy = RetryPolicy(),
    traces: TraceSource = TraceSource(high: 1, low: 2)
  ) {
    self.limits = limits
    self.retry = retry
    self.traces = traces
  }

  /// The trace of a call that is not in the book.
  package mutating func drawTrace() -> TraceID { traces.next() }

  /// The server has said how many calls it takes. Every gateway takes some: a 0, which would hold
  /// back all calls for ever, counts as not said.
  package mutating func serverTakes(openCalls: Int) {
    if openCalls > 0 { limits.openMax = min(limits.openMax, openCalls) }
  }

  /// Takes a call, whose id is greater than those of the calls that its caller has made before.
  /// Returns nil, or the answer that refuses it.
  package mutating func add(
    _ id: UInt64, _ request: Request, deadline: UInt64, isSignedOut: Bool
  ) -> Answer? {
    let failure: MusterError
    if isSignedOut && !request.access.contains(.anonymous) {
      failure = MusterError(.notAuthenticated, "Sign in first.")
    } else if request.body.count > limits.bodySizeMax {
      failure = MusterError(
        .limitReached, "A call has at most \(limits.bodySizeMax) bytes; this one has more.")
    } else if isFull && !request.isMatchData {
      failure = MusterError(.backpressure, BackpressureCause.clientCalls.text)
    } else {
      calls[id] = OpenCall(request: request, deadline: deadline, trace: traces.next())
      waiting.append(id)
      expect(deadline)
      return nil
    }
    return Answer(id: id, result: .failure(failure))
  }

  private var isFull: Bool {
    waiting.count >= limits.waitingMax
      && waiting.count { calls[$0]?.request.isMatchData == false } >= limits.waitingMax
  }

  /// The lowest key that may still be sent. The server may forget its answers to the keys below.
  package var floor: UInt64 {
    calls.values.reduce(counterNext) { $1.counter == 0 ? $0 : min($0, $1.counter) }
  }

  /// Returns what to send now, the oldest call first, and counts those calls as under way.
  package mutating func transmissions(_ gate: Gate, now: UInt64) -> [Transmission] {
    if gate == .shut || waiting.isEmpty || underWayCount >= limits.openMax { return [] }
    var sent: [Transmission] = []
    var rest: [UInt64] = []
    // New counters do not change it: it is the first of them, or lower.
    let floor = floor
    for (index, id) in waiting.enumerated() {
      if underWayCount == limits.openMax {
        rest += waiting[index...]
        break
      }
      guard var call = calls[id] else { continue }
      let mayGo = gate == .session || call.request.access.contains(.anonymous)
      let needsKey = !call.request.isReadOnly && call.counter == 0
      let isData = call.request.isMatchData
      guard mayGo, call.notBefore <= now, !isData || dataUnderWayCount < limits.dataOpenMax,
        !needsKey || counterNext - floor < UInt64(limits.windowMax)
      else {
        rest.append(id)
        continue
      }
      if needsKey {
        call.counter = counterNext
        counterNext += 1
      }
      call.attempt += 1
      call.isUnderWay = true
      begin(call)
      calls[id] = call
      sent.append(transmission(id, call, now: now))
    }
    waiting = rest
    return sent
  }

  private func transmission(_ id: UInt64, _ call: OpenCall, now: UInt64) -> Transmission {
    var envelope = ClientEnvelope()
    envelope.traceID = call.trace
    let left = call.deadline > now ? call.deadline - now : 1
    envelope.deadlineMilliseconds = UInt32(clamping: max(left, 1))
    if call.counter != 0 {
      envelope.idempotency = IdempotencyKey(instance: 0, counter: call.counter, floor: floor)
    }
    return Transmission(
      id: id, attempt: call.attempt, opcode: call.request.opcode, envelope: envelope,
      body: call.request.body)
  }

  /// Returns when to look again at deadlines and delays; nil when nothing waits for a time.
  ///
  /// A delay that is over already does not count: that call goes out when an answer makes room.
  package func wakeTime(_ gate: Gate, now: UInt64) -> UInt64? {
    calls.values.reduce(nil) { earliest, call in
      if call.isAbandoned { return earliest }
      var time = call.deadline
      if !call.isUnderWay && gate != .shut && call.notBefore > now {
        time = min(time, call.notBefore)
      }
      return min(earliest ?? time, time)
    }
  }

  /// Returns the earliest time that came up since the last call of this, of a new call or of one
  /// that waits for its repetition. With it an alarm is kept right without a look at all calls.
  package mutating func takeNewTime() -> UInt64? {
    defer { newTime = nil }
    return newTime
  }

  private mutating func expect(_ time: UInt64) { newTime = min(newTime ?? time, time) }

  // MARK: For CallBook+Answers

  mutating func remove(_ id: UInt64) {
    guard let call = calls.removeValue(forKey: id) else { return }
    if call.isUnderWay { finish(call) } else { waiting.removeAll { $0 == id } }
  }

  private mutating func begin(_ call: OpenCall) {
    underWayCount += 1
    if call.request.isMatchData { dataUnderWayCount += 1 }
  }

  private mutating func finish(_ call: OpenCall) {
    underWayCount -= 1
    if call.request.isMatchData { dataUnderWayCount -= 1 }
  }

  /// Puts a call that was under way back among the waiting ones. They stand in the order of their
  /// ids, which is the order in which a caller has made them.
  mutating func wait(_ id: UInt64, _ call: OpenCall, notBefore: UInt64) {
    var call = call
    if call.isUnderWay { finish(call) }
    call.isUnderWay = false
    call.notBefore = notBefore
    calls[id] = call
    expect(notBefore)
    let index = waiting.firstIndex { $0 > id } ?? waiting.endIndex
    waiting.insert(id, at: index)
  }

  mutating func startCountingAnew() { counterNext = 1 }
}
