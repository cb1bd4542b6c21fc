internal import CUV

/// An event loop, confined to its thread: whoever holds a `Loop` runs on that loop's thread.
///
/// It is not `Sendable`. So the compiler keeps it, and everything that belongs to it (connections,
/// links, timers and their closures), in the region of the actors that run on it.
///
/// One turn of the loop handles, in this order: events (timers, sockets, wake-ups); jobs and
/// messages that came from its own thread; the closures that asked for the end of the turn;
/// connections that asked to read; one flush of every connection that was written to; the reports
/// of closed connections. Then the loop waits for more events.
@safe
public final class Loop {
  /// The most turns that `shutDown` gives to closures which ask for the end of yet another turn.
  private static let lastTurnsMax = 100

  let uv: UnsafeMutablePointer<uv_loop_t>
  unowned var executor: LoopExecutor!
  private let prepare = unsafe UVHandle(size: MemoryLayout<uv_prepare_t>.size)
  private let idle = unsafe UVHandle(size: MemoryLayout<uv_idle_t>.size)
  /// Whether the next wait returns at once; see `hurry`.
  private var isHurried = false
  /// Whether the loop was shut down: nothing new is begun on it.
  private(set) var isOver = false
  private var isEnding = false

  private var endOfTurn = TurnList<() -> Void>()
  private var doors: [Int: Door] = [:]
  private var lastDoor = 0
  private var keptObjects: [ObjectIdentifier: AnyObject] = [:]
  private var shutDownBodies: [ObjectIdentifier: () -> Void] = [:]
  let buffers = BufferPool()
  let connections = ConnectionTable()
  /// What all connections of the loop have read and sent.
  public var traffic: TrafficCounts { connections.traffic }

  init() {
    unsafe uv = .allocate(capacity: 1)
    unsafe uv_loop_init(uv)
    unsafe muster_uv_measure_idle_time(uv)
    unsafe uv_prepare_init(uv, prepare.memory.assumingMemoryBound(to: uv_prepare_t.self))
    unsafe uv_idle_init(uv, idle.memory.assumingMemoryBound(to: uv_idle_t.self))
    prepare.adopt()
    idle.adopt()
    unsafe uv_prepare_start(prepare.memory.assumingMemoryBound(to: uv_prepare_t.self)) {
      unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) })
    }
    connections.loop = self
    prepare.body = { [unowned self] _, _ in endTurn() }
  }

  deinit { unsafe uv.deallocate() }

  /// The monotonic clock in milliseconds, as of the start of this turn.
  public var monotonicMilliseconds: UInt64 { unsafe uv_now(uv) }

  /// The same clock in microseconds, read anew at each use: to measure how long something takes.
  public var monotonicMicroseconds: UInt64 { uv_hrtime() / 1000 }

  /// Microseconds in which the loop had nothing to do, since it began.
  public var idleMicroseconds: UInt64 { unsafe uv_metrics_idle_time(uv) / 1000 }

  /// Runs `body` once, after the events of this turn, before the loop waits again.
  ///
  /// If `body` itself asks for the end of a turn, that runs at the end of the next turn, which then
  /// comes without a wait. Once the loop is over, `body` is not called.
  public func atEndOfTurn(_ body: @escaping () -> Void) {
    if isOver { return }
    endOfTurn.append(body)
    hurry()
  }

  /// Keeps `object` alive for as long as the loop runs; one object per type.
  public func keep<Object: AnyObject>(_ object: Object) {
    keptObjects[ObjectIdentifier(Object.self)] = object
  }

  /// Returns the kept object of this type.
  public func keptObject<Object: AnyObject>(_ type: Object.Type) -> Object? {
    keptObjects[ObjectIdentifier(type)] as? Object
  }

  // MARK: Mailboxes

  /// The loop's side of a mailbox.
  struct Door {
    /// Handles the messages in the mailbox.
    var drain: () -> Void
    /// Drops the messages in the mailbox and all that come later; called at the loop's end.
    var close: () -> Void
  }

  func addDoor(_ door: Door) -> Int {
    if isOver { door.close() }
    lastDoor += 1
    doors[lastDoor] = door
    return lastDoor
  }

  func drainDoor(_ number: Int) { doors[number]?.drain() }
  func removeDoor(_ number: Int) { doors[number] = nil }

  // MARK: Turns

  /// Makes the next wait return at once, because work is left that no event will announce.
  func hurry() {
    if isHurried || isOver { return }
    isHurried = true
    // libuv does not wait for events while an idle handle is started.
    unsafe uv_idle_start(idle.memory.assumingMemoryBound(to: uv_idle_t.self)) { _ in }
  }

  /// Does what stands between the events of a turn and the next wait. Returns whether it left
  /// something for the next turn.
  @discardableResult
  private func endTurn() -> Bool {
    if isHurried {
      isHurried = false
      unsafe uv_idle_stop(idle.memory.assumingMemoryBound(to: uv_idle_t.self))
    }
    // A loop that shuts down looks into no mailbox any more.
    if !isEnding { executor.endTurn() }
    if !endOfTurn.isEmpty {
      let bodies = endOfTurn.take()
      for body in bodies { body() }
      endOfTurn.giveBack(bodies)
    }
    let hasMore = connections.endTurn() || !endOfTurn.isEmpty
    if hasMore { hurry() }
    return hasMore
  }

  // MARK: The end

  /// Registers what `object` must do before the loop closes its handles.
  func onShutDown(_ object: AnyObject, _ body: @escaping () -> Void) {
    shutDownBodies[ObjectIdentifier(object)] = body
  }

  func forgetShutDown(_ object: AnyObject) { shutDownBodies[ObjectIdentifier(object)] = nil }

  /// Ends everything on the loop, then closes every handle; `uv_run` returns after that.
  func shutDown() {
    if isEnding { return }
    isEnding = true
    for body in shutDownBodies.values { body() }
    connections.closeAll(.local("the loop stops"))
    // What asked for the end of a turn still runs, such as completions of calls that were lost.
    // What that asks for runs too, but not for ever.
    for _ in 0..<Self.lastTurnsMax where endTurn() {}
    isOver = true
    unsafe uv_walk(
      uv,
      { handle, _ in
        guard let data = unsafe handle?.pointee.data else { return }
        unsafe Unmanaged<UVHandle>.fromOpaque(data).takeUnretainedValue().close()
      }, nil)
  }

  /// Releases everything that the loop holds, after `uv_run` has returned.
  func end() {
    isOver = true
    unsafe uv_loop_close(uv)
    endOfTurn = TurnList()
    for door in doors.values { door.close() }
    doors = [:]
    keptObjects = [:]
    shutDownBodies = [:]
  }
}
