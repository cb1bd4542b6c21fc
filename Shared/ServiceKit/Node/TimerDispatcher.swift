import Domain
import Wire

/// Has the timers of an engine served when their time comes: a bounded number at once, so that after
/// a long stop, with very many of them due, calls come in between.
final class TimerDispatcher<W: World> {
  /// Timers that are under way at once. Each batch takes about as many of them, and what they change
  /// holds up reads of the same slots until it is durable.
  static var underWayMax: Int { 32 }
  /// A timer that was refused for what may pass fires again after so long,
  static var retryMilliseconds: Int64 { 1000 }
  /// and so long no other one does: what it was refused for, such as a full disk, is mostly not its
  /// own.
  static var pauseMilliseconds: UInt64 { 20 }

  private let engine: Engine
  private unowned let world: W
  private let log: Log
  private let submit: (Request, @escaping (Answer) -> Void) -> Void
  private var underWayCount = 0
  private var isTaking = false
  private var isPaused = false
  /// When the world wakes this up, in milliseconds of its monotonic clock; the next one last. A wake
  /// cannot be taken back, so one that stands is used again, and none is added behind it.
  private var wakes: [UInt64] = []
  /// The engine's time of the next wake that is wanted.
  private var wakesFor = Int64.max
  private var isLookScheduled = false

  init(
    engine: Engine, world: W, log: Log,
    submit: @escaping (Request, @escaping (Answer) -> Void) -> Void
  ) {
    self.engine = engine
    self.world = world
    self.log = log
    self.submit = submit
  }

  /// Something was done to the engine: a timer may be due before the next look.
  func engineChanged() {
    if let due = engine.nextTimerDue, due < wakesFor { look() }
  }

  /// Starts what is due, and sees to it that the next look comes in time.
  func look() {
    if isTaking || isPaused || isLookScheduled || underWayCount == Self.underWayMax { return }
    isTaking = true
    var left = Self.underWayMax
    while left > 0, underWayCount < Self.underWayMax, !isPaused,
      let request = engine.takeTimer(clock: world.clock)
    {
      left -= 1
      underWayCount += 1
      submit(request) { [weak self] answer in self?.answered(request, answer) }
    }
    isTaking = false
    if left == 0 {
      // They were served at once, and more may be due: others come first.
      isLookScheduled = true
      world.atEndOfTurn { [weak self] in
        self?.isLookScheduled = false
        self?.look()
      }
    } else {
      wakeUpInTime()
    }
  }

  private func wakeUpInTime() {
    guard underWayCount < Self.underWayMax, !isPaused, let due = engine.nextTimerDue,
      due < wakesFor
    else { return }
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
    look()
  }

  private func answered(_ request: Request, _ answer: Answer) {
    underWayCount -= 1
    if case .failure(let failure) = answer {
      let operation = engine.router[request.opcode]?.name ?? "\(request.opcode)"
      let fields: KeyValuePairs = ["operation": operation, "reason": failure.description]
      if failure.code.isTransient {
        log.debug("timer waits", fields)
        engine.postponeTimer(request, milliseconds: Self.retryMilliseconds, clock: world.clock)
        pause()
      } else {
        log.warning("timer refused", fields)
      }
    }
    look()
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
