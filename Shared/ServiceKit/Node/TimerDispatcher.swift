import Domain
import Storage
import Wire

/// Has the timers of an engine served when their time comes: a bounded number at once, so that
/// after a long stop, with very many of them due, calls come in between.
///
/// Timers are taken in the order of their times, and submitted in the order in which they were
/// taken. The rows of those taken together are read together, before they are submitted: calls of
/// their keys go on meanwhile, and timers of one key share a batch. Timers of live data are no part
/// of that: each is submitted when it is due.
final class TimerDispatcher<W: World> {
  typealias Rows = [ColdRange: [[UInt8]]]
  /// Reads rows of slots when these are durable.
  typealias Read = ([ColdRange], [Int], @escaping (Result<Rows, StoreError>) -> Void) -> Void

  /// Timers that are under way at once. Each batch takes about as many of them, and what they
  /// change holds up reads of the same slots until it is durable.
  static var underWayMax: Int { 32 }
  /// A timer that the service had no room for fires again after so long.
  static var noRoomMilliseconds: Int64 { 1000 }
  /// For so long no timer is taken after that: a full disk refuses them all.
  static var pauseMilliseconds: UInt64 { 20 }
  /// A timer that fails by itself fires again after so long: what it failed for may pass soon.
  static var retryMillisecondsMin: Int64 { 1000 }
  /// The wait doubles with each failure up to this: what lasts for hours costs little, and its end
  /// is noticed within a minute.
  static var retryMillisecondsMax: Int64 { 60_000 }

  private let engine: Engine
  private unowned let world: W
  private let log: Log
  /// Players can cause any number of timers that are refused.
  private var warnings = LogPace()
  private let read: Read
  private let submit: (Request, @escaping (Answer) -> Void) -> Void
  private let lateness: Metrics.Distribution
  private var underWayCount = 0
  /// Timers that were taken and are not submitted yet, in groups whose rows are read together. The
  /// next one is last.
  private var groups: [[Request]] = []
  /// True while groups are being read or submitted.
  private var isServing = false
  private var isPaused = false
  /// When the world wakes this up, in milliseconds of its monotonic clock; the next one last. A
  /// wake cannot be taken back, so one that stands is used again, and none is added behind it.
  private var wakes: [UInt64] = []
  /// The engine's time of the next wake that is wanted.
  private var wakesFor = Int64.max
  private var isLookScheduled = false
  /// The engine's time of the wake for live data that is wanted.
  private var liveWakesFor = Int64.max

  init(
    engine: Engine, world: W, log: Log, read: @escaping Read,
    submit: @escaping (Request, @escaping (Answer) -> Void) -> Void,
    lateness: Metrics.Distribution
  ) {
    self.lateness = lateness
    self.engine = engine
    self.world = world
    self.log = log[.timers]
    self.read = read
    self.submit = submit
  }

  // MARK: Taking

  /// Something was done to the engine: a timer may be due before the next look.
  func engineChanged() {
    if let due = engine.nextTimerDue, due < wakesFor { look() }
  }

  /// Takes what is due, and sees to it that the next look comes in time.
  func look() {
    serveLive()
    if isServing || isPaused || isLookScheduled || underWayCount == Self.underWayMax { return }
    var taken: [Request] = []
    while underWayCount < Self.underWayMax, let due = engine.nextTimerDue,
      let request = engine.takeTimer(clock: world.clock)
    {
      lateness.record(UInt64(max(0, engine.time(clock: world.clock) - due)))
      if engine.router[request.opcode]?.isLive == true {
        submit(request) { _ in }
        continue
      }
      underWayCount += 1
      taken.append(request)
    }
    if taken.isEmpty { return wakeUpInTime() }
    groups.append(taken)
    isServing = true
    serveNextGroup()
  }

  /// Serves what is due of live data, which waits for no disk and no other timer, and sees to it
  /// that the next one comes in time.
  private func serveLive() {
    while let request = engine.takeLiveTimer(clock: world.clock) { submit(request) { _ in } }
    guard let due = engine.nextLiveTimerDue, due < liveWakesFor else { return }
    liveWakesFor = due
    world.after(UInt64(max(0, due - engine.time(clock: world.clock)))) { [weak self] in
      guard let self, liveWakesFor == due else { return }
      liveWakesFor = .max
      serveLive()
    }
  }

  /// Looks when this turn is over: others come first, and as many timers as may be go together.
  private func lookSoon() {
    if isLookScheduled { return }
    isLookScheduled = true
    world.atEndOfTurn { [weak self] in
      self?.isLookScheduled = false
      self?.look()
    }
  }

  private func wakeUpInTime() {
    guard let due = engine.nextTimerDue, due < wakesFor else { return }
    wakesFor = due
    let wait = UInt64(max(0, due - engine.time(clock: world.clock)))
    let moment = world.microseconds / 1000 + wait
    if let next = wakes.last, next <= moment { return }
    wakes.append(moment)
    world.after(wait) { [weak self] in self?.wake() }
  }

  /// The first of the wakes that stand has come.
  private func wake() {
    wakes.removeLast()
    wakesFor = .max
    look()
  }

  /// The wall clock was set: what was to come in hours may be due.
  func clockChanged() {
    wakesFor = .max
    liveWakesFor = .max
    look()
  }

  // MARK: Serving

  /// Submits the next group, once its rows are read.
  private func serveNextGroup() {
    guard let group = groups.popLast() else {
      isServing = false
      return lookSoon()
    }
    let unread = group.filter { $0.timer?.unreadRow != nil }
    if unread.isEmpty { return serve(group, [:]) }
    read(
      unread.compactMap { $0.timer?.unreadRow },
      unread.map { Slot.of($0.envelope.routingKey) }
    ) { [weak self] in self?.didRead(group, $0) }
  }

  private func didRead(_ group: [Request], _ result: Result<Rows, StoreError>) {
    switch result {
    case .success(let rows): return serve(group, rows)
    case .failure(let error) where group.count == 1:
      answered(group[0], .failure(Failure(.unavailable, "The row cannot be read: \(error).")))
    case .failure:
      // It may be one row alone: that one must not hold up the others.
      let half = group.count / 2
      groups += [Array(group[half...]), Array(group[..<half])]
    }
    serveNextGroup()
  }

  private func serve(_ group: [Request], _ rows: Rows) {
    for var request in group {
      if let range = request.timer?.unreadRow { request.fillTimer(from: rows[range] ?? []) }
      submit(request) { [weak self] in self?.answered(request, $0) }
    }
    serveNextGroup()
  }

  private func answered(_ request: Request, _ answer: Answer) {
    underWayCount -= 1
    if case .failure(let failure) = answer { refused(request, failure) }
    lookSoon()
  }

  private func refused(_ request: Request, _ failure: Failure) {
    let operation = engine.router[request.opcode]?.name ?? "\(request.opcode)"
    let fields: KeyValuePairs = [
      "trace": request.envelope.traceID.description, "operation": operation,
      "reason": failure.description,
    ]
    switch failure.code {
    case .storageFull, .backpressure:
      log.debug("timer waits for room", fields)
      engine.postponeTimer(request, milliseconds: Self.noRoomMilliseconds, clock: world.clock)
      pause()
    case _ where failure.code.isTransient:
      guard let count = engine.countTimerFailure(request) else { return }
      if count == 1 {
        warn("timer waits", request, operation, failure)
      } else {
        log.debug("timer waits", fields)
      }
      engine.postponeTimer(
        request, milliseconds: Self.retryMilliseconds(afterFailures: count), clock: world.clock)
    default: warn("timer refused", request, operation, failure)
    }
  }

  private func warn(
    _ event: String, _ request: Request, _ operation: String, _ failure: Failure
  ) {
    let kind = "\(event) \(operation) \(failure.code)"
    guard let keptBack = warnings.admit(kind, now: world.microseconds / 1000) else { return }
    log.warning(
      event,
      [
        "trace": request.envelope.traceID.description, "operation": operation,
        "reason": failure.description, "kept_back": "\(keptBack)",
      ])
  }

  /// - Parameter count: failures in a row, one at least.
  static func retryMilliseconds(afterFailures count: Int) -> Int64 {
    let doublings = min(count - 1, 32)
    return min(retryMillisecondsMin << doublings, retryMillisecondsMax)
  }

  private func pause() {
    if isPaused { return }
    isPaused = true
    world.after(Self.pauseMilliseconds) { [weak self] in
      self?.isPaused = false
      self?.look()
    }
  }
}
