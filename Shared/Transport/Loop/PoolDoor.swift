internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps loops away from libuv's thread pool while the process ends.
///
/// `exit` lets libuv take its pool apart while the loops' threads go on, and one of them that gives
/// the pool work in that moment holds the lock which libuv destroys: the process would abort instead
/// of ending with its code.
enum PoolDoor {
  private static let isShut = Atomic(false)
  private static let inside = Atomic(0)

  /// At the first use, so that it runs before what libraries registered when they were loaded.
  private static let shutsAtExit: Bool = atexit { PoolDoor.shut() } == 0

  /// Gives the pool work, unless the process is ending: what is asked for then is never done.
  static func pass(_ giveWork: () -> Void) {
    _ = shutsAtExit
    inside.add(1, ordering: .sequentiallyConsistent)
    if !isShut.load(ordering: .sequentiallyConsistent) { giveWork() }
    inside.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Waits for those inside, which takes them microseconds.
  private static func shut() {
    isShut.store(true, ordering: .sequentiallyConsistent)
    while inside.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
  }
}
