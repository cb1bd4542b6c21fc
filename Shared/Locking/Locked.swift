import Foundation

/// A value under a lock, for the few that threads share: what a shell's loop, its committer's
/// thread and its callers hand each other. A service's state needs none; it has one thread.
///
/// The system's own lock (some 20 ns when nobody else wants it), not `Synchronization.Mutex`: on
/// Linux the latter locks by calls into the kernel that the thread sanitizer does not know, so
/// that every value under one would be reported as a race.
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
