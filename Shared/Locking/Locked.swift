import Foundation

/// A value under a lock, for the few values that threads share: what a process's loop, its
/// committing thread and its callers hand each other. A service's state needs no lock, because one
/// thread alone uses it.
///
/// This is the system's own lock (about 20 ns when no other thread wants it) and not
/// `Synchronization.Mutex`. On Linux the latter locks by calls into the kernel that the thread
/// sanitizer does not know, so it would report a race on every value under one.
@safe
package final class Locked<Value: Sendable>: Sendable {
  private let lock = NSLock()
  // Used only in `withLock`, between locking and unlocking.
  private nonisolated(unsafe) var value: Value

  package init(_ value: Value) { unsafe self.value = value }

  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value)
  }
}
