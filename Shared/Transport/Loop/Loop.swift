internal import CUV

/// An event loop, confined to its thread: whoever holds a `Loop` runs on that loop's thread.
///
/// It is not `Sendable`, so the compiler keeps it, and all that hangs on it (connections, links,
/// timers and their closures), in the region of the actors that run on it.
///
/// A turn goes: events (timers, sockets, wake-ups), then what asked for the end of the turn, then
/// one flush of every connection that was written to, then the news of closed connections, then
/// the wait for more events.
@safe
public final class Loop {
  private static let lastTurnsMax = 100

  let uv: UnsafeMutablePointer<uv_loop_t>
  unowned var executor: LoopExecutor!
  private let prepare = unsafe UVHandle(size: MemoryLayout<uv_prepare_t>.size)
  private let idle = unsafe UVHandle(size: MemoryLayout<uv_idle_t>.size)
  private var idles = false
  private(set) var isOver = false

  private var endOfTurn: [() -> Void] = []
  private var doors: [Int: Door] = [:]
  private var doorNext = 0
  private var keptObjects: [ObjectIdentifier: AnyObject] = [:]
  private var stoppers: [ObjectIdentifier: () -> Void] = [:]
  let buffers = BufferPool()
  let connections = ConnectionTable()

  init() {
    unsafe uv = .allocate(capacity: 1)
    unsafe uv_loop_init(uv)
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

  /// The monotonic clock as of the start of this turn.
  public var monotonicMilliseconds: UInt64 { unsafe uv_now(uv) }

  /// Microseconds of the same clock, read anew and not once in a turn: for how long something takes.
  public var monotonicMicroseconds: UInt64 { uv_hrtime() / 1000 }

  /// Runs `body` once, after the events of this turn, before the loop waits again.
  ///
  /// What `body` itself asks for the end of a turn runs at the end of the next, which then comes
  /// without waiting.
  public func atEndOfTurn(_ body: @escaping () -> Void) {
    if isOver { return }
    endOfTurn.append(body)
    hurry()
  }

  /// Keeps `object` alive for as long as the loop runs; one object per type.
  public func keep<Object: AnyObject>(_ object: Object) {
    keptObjects[ObjectIdentifier(Object.self)] = object
  }

  public func kept<Object: AnyObject>(_ type: Object.Type) -> Object? {
    keptObjects[ObjectIdentifier(type)] as? Object
  }

  // MARK: Mailboxes

  /// The loop's side of a mailbox.
  struct Door {
    var drain: () -> Void
    /// Called at the loop's end.
    var close: () -> Void
  }

  func addDoor(_ door: Door) -> Int {
    if isOver { door.close() }
    doorNext += 1
    doors[doorNext] = door
    return doorNext
  }

  func drainDoor(_ number: Int) { doors[number]?.drain() }
  func removeDoor(_ number: Int) { doors[number] = nil }

  // MARK: Turns

  /// Makes the next wait return at once: work is left that no event will announce.
  func hurry() {
    if idles || isOver { return }
    idles = true
    unsafe uv_idle_start(idle.memory.assumingMemoryBound(to: uv_idle_t.self)) { _ in }
  }

  /// Says whether it left something for the next turn.
  @discardableResult
  private func endTurn() -> Bool {
    if idles {
      idles = false
      unsafe uv_idle_stop(idle.memory.assumingMemoryBound(to: uv_idle_t.self))
    }
    if !endOfTurn.isEmpty {
      let bodies = endOfTurn
      endOfTurn.removeAll(keepingCapacity: true)
      for body in bodies { body() }
    }
    let hasMore = connections.endTurn() || !endOfTurn.isEmpty
    if hasMore { hurry() }
    return hasMore
  }

  // MARK: The end

  /// Registers what must be told before the loop closes its handles.
  func onShutDown(_ object: AnyObject, _ body: @escaping () -> Void) {
    stoppers[ObjectIdentifier(object)] = body
  }

  func forgetShutDown(_ object: AnyObject) { stoppers[ObjectIdentifier(object)] = nil }

  /// Tells everything that the loop ends, then closes every handle; `uv_run` returns after that.
  func shutDown() {
    if isOver { return }
    for stop in stoppers.values { stop() }
    connections.closeAll(.local("the loop stops"))
    // What was promised for the end of a turn is kept, and what that promises too, within reason.
    for _ in 0..<Self.lastTurnsMax where endTurn() {}
    isOver = true
    unsafe uv_walk(
      uv,
      { handle, _ in
        guard let data = unsafe handle?.pointee.data else { return }
        unsafe Unmanaged<UVHandle>.fromOpaque(data).takeUnretainedValue().close()
      }, nil)
  }

  /// After `uv_run`: lets go of everything that could keep others alive.
  func end() {
    isOver = true
    unsafe uv_loop_close(uv)
    endOfTurn = []
    for door in doors.values { door.close() }
    doors = [:]
    keptObjects = [:]
    stoppers = [:]
  }
}
