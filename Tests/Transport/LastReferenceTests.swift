import Locking
import Synchronization
import TestKit
import Testing

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A task that ends its own loop, while the thread that brought it is still on its way.
@Suite("Last reference to a loop", .endsAtLast)
struct LastReferenceTests {
  /// In a process of its own, since the thread that waits is one of the few that tests share, and
  /// since it would go on in memory that was freed.
  @Test("A loop that has ended is there until the thread that brought its last task goes on")
  func releasedOnTheWay() async {
    await #expect(processExitsWith: .success) {
      let isThere = Promise<Bool>()
      await LastTask.make { isThere.set($0) }.end()
      let wasThere = await isThere.value
      precondition(wasThere, "the executor was released while a thread was in its enqueue")
    }
  }
}

/// An actor that alone holds its loop.
@safe
private actor LastTask {
  /// Whether the loop's thread has ended, with all references of its own.
  private static let hasThreadEnded = Atomic(false)

  private var thread: LoopThread?
  private nonisolated let home: UnownedSerialExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home }

  private init(_ thread: LoopThread) {
    self.thread = thread
    unsafe home = thread.unownedExecutor
  }

  /// - Parameter tell: called in the thread that brings the first task, with whether the executor
  ///   outlives the loop's thread.
  static func make(_ tell: @escaping @Sendable (Bool) -> Void) -> LastTask {
    let executor = Locked(WeakExecutor())
    let isTold = Locked(false)
    let thread = LoopThread(name: "last") {
      // The loop posts too, to end itself.
      if isTold.withLock({ isTold in
        defer { isTold = true }
        return isTold
      }) {
        return
      }
      while !hasThreadEnded.load(ordering: .acquiring) { sched_yield() }
      tell(executor.withLock { $0.value != nil })
    }
    executor.withLock { $0.value = thread.executor }
    return LastTask(thread)
  }

  /// Releases the loop that it runs on.
  func end() {
    var key = pthread_key_t()
    // The system calls it when the thread's own function has returned.
    unsafe pthread_key_create(&key) { _ in
      LastTask.hasThreadEnded.store(true, ordering: .releasing)
    }
    unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    thread = nil
  }
}

private struct WeakExecutor: Sendable {
  weak var value: LoopExecutor?
}
