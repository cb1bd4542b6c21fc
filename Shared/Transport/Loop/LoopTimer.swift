internal import CUV

/// A timer of a loop. It fires whether or not anybody holds it; `cancel` ends it.
public final class LoopTimer {
  private let handle: UVHandle?

  fileprivate init(_ handle: UVHandle?) { self.handle = handle }

  /// The body never runs after this returns. May be called more than once, also by the body.
  public func cancel() { handle?.close() }
}

extension Loop {
  /// Runs `body` once, when `milliseconds` have passed.
  @discardableResult
  public func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
    timer(milliseconds, repeats: 0, body)
  }

  /// Runs `body` every `milliseconds`. If a turn takes longer than that, the runs that it missed
  /// are skipped.
  @discardableResult
  public func every(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
    timer(milliseconds, repeats: max(milliseconds, 1), body)
  }

  private func timer(_ milliseconds: UInt64, repeats: UInt64, _ body: @escaping () -> Void)
    -> LoopTimer
  {
    if isOver { return LoopTimer(nil) }
    let handle = unsafe UVHandle(size: MemoryLayout<uv_timer_t>.size)
    let pointer = unsafe handle.memory.assumingMemoryBound(to: uv_timer_t.self)
    unsafe uv_timer_init(uv, pointer)
    handle.adopt()
    if repeats > 0 {
      handle.body = { _, _ in body() }
    } else {
      handle.body = { [unowned handle] _, _ in
        handle.close()
        body()
      }
    }
    unsafe uv_timer_start(
      pointer, { unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) }) }, milliseconds,
      repeats)
    return LoopTimer(handle)
  }

  /// Runs `body` on the loop whenever the process gets `signal`.
  public func onSignal(_ signal: Int32, _ body: @escaping () -> Void) {
    if isOver { return }
    let handle = unsafe UVHandle(size: MemoryLayout<uv_signal_t>.size)
    let pointer = unsafe handle.memory.assumingMemoryBound(to: uv_signal_t.self)
    unsafe uv_signal_init(uv, pointer)
    handle.adopt()
    handle.body = { _, _ in body() }
    unsafe uv_signal_start(
      pointer, { handle, _ in unsafe UVHandle.event(handle.map { UnsafeMutableRawPointer($0) }) },
      signal)
  }
}
