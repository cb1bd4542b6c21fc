internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps loops away from libuv's thread pool while the process ends.
///
/// `exit` lets libuv take its pool apart while the loops' threads go on. If one of them gave the
/// pool work at that moment, it would hold the lock that libuv destroys, and the process would
/// abort instead of ending with its exit code.
enum PoolDoor {
  private static let isShut = Atomic(false)
  private static let inside = Atomic(0)

  /// Registers `shut` at the first use of the pool. `exit` runs what was registered last first, so
  /// `shut` comes before what libraries registered when they were loaded.
  private static let shutsAtExit: Bool = atexit { PoolDoor.shut() } == 0

  /// Calls `giveWork`, unless the process is ending: work that is asked for then is never done.
  static func pass(_ giveWork: () -> Void) {
    _ = shutsAtExit
    inside.add(1, ordering: .sequentiallyConsistent)
    if !isShut.load(ordering: .sequentiallyConsistent) { giveWork() }
    inside.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Closes the door and waits for the threads inside, which takes them microseconds.
  private static func shut() {
    isShut.store(true, ordering: .sequentiallyConsistent)
    while inside.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
  }
}
