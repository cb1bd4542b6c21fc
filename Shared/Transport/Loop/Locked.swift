internal import CUV

/// A value under a lock.
///
/// The system's own lock, not `Synchronization.Mutex`: the thread sanitizer does not see what the
/// latter does when two threads meet, and reports races that are none.
@safe
final class Locked<Value: Sendable>: Sendable {
  // Both are used only in `withLock`, between locking and unlocking.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<uv_mutex_t>
  private nonisolated(unsafe) var value: Value

  init(_ value: Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe self.value = value
    let status = unsafe uv_mutex_init(mutex)
    precondition(status == 0, "cannot make a lock")
  }

  deinit {
    unsafe uv_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    return unsafe body(&value)
  }
}
