#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value under a lock, for the few values that threads share: what a process's loop, its
/// committing thread and its callers hand each other. A service's state needs no lock, because one
/// thread alone uses it.
///
/// This is the system's own lock (about 20 ns when no other thread wants it) and not
/// `Synchronization.Mutex`. On Linux the latter locks by calls into the kernel that the thread
/// sanitizer does not know, so it would report a race on every value under one. Nor is it
/// Foundation's, which would bring fifty megabytes into each program.
@safe
package final class Locked<Value: Sendable>: Sendable {
  // Both stay at one place in memory for as long as they live, as the system demands.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let changed: UnsafeMutablePointer<pthread_cond_t>
  // Used only between locking and unlocking.
  private nonisolated(unsafe) var value: Value

  package init(_ value: Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe self.value = value
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    #if canImport(Glibc)
      // A wait with a bound must not end early or late when somebody sets the clock.
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    let isMutexMade = unsafe pthread_mutex_init(mutex, nil) == 0
    let isConditionMade = unsafe pthread_cond_init(changed, &attributes) == 0
    precondition(isMutexMade && isConditionMade, "the system has no room for a lock")
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value)
  }

  /// Lets all who wait look at the value again.
  package func wake() {
    // Under the lock, so that nobody is between having looked and going to sleep: what they look at
    // may be more than the value.
    unsafe pthread_mutex_lock(mutex)
    unsafe pthread_cond_broadcast(changed)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Sleeps until the condition holds, or the time is over. It is looked at now and at each `wake`.
  package func wait(seconds: Double? = nil, until isDone: (Value) -> Bool) {
    let deadline = seconds.map { SuspendingClock.now.advanced(by: .seconds($0)) }
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isDone(unsafe value) {
      guard let deadline else {
        unsafe pthread_cond_wait(changed, mutex)
        continue
      }
      if !pause(atMost: SuspendingClock.now.duration(to: deadline)) { return }
    }
  }

  /// Unlocks, sleeps until somebody wakes it, and locks again; false when the time is over.
  private func pause(atMost duration: Duration) -> Bool {
    let (seconds, attoseconds) = max(.zero, duration).components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    #if canImport(Darwin)
      return unsafe pthread_cond_timedwait_relative_np(changed, mutex, &time) == 0
    #else
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      time.tv_sec += now.tv_sec + (time.tv_nsec + now.tv_nsec) / 1_000_000_000
      time.tv_nsec = (time.tv_nsec + now.tv_nsec) % 1_000_000_000
      return unsafe pthread_cond_timedwait(changed, mutex, &time) == 0
    #endif
  }
}
