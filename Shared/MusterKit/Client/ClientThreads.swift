internal import Locking
package import Transport

/// The threads that the clients of this process share.
///
/// Clients take turns at the threads, and never wait for one another there: all that a client does
/// on its thread is to move bytes and to keep its own books. Code of the game never runs on one. A
/// thread ends when the last of its clients is released.
package final class ClientThreads: Sendable {
  package static let shared = ClientThreads()

  /// A thread serves tens of thousands of calls a second, so half of the machine is left to the
  /// tasks that make them.
  package static let countMax = max(1, min(4, LoopThread.availableParallelism / 2))

  private struct Places {
    var threads: [Place]
    var next = 0
  }

  private struct Place {
    weak var thread: LoopThread?
  }

  private let places = Locked(
    Places(threads: [Place](repeating: Place(), count: countMax)))

  package init() {}

  /// Returns the thread for a new client, which holds it for as long as it needs it.
  package func take() -> LoopThread {
    places.withLock { places in
      let index = places.next
      places.next = (index + 1) % places.threads.count
      if let thread = places.threads[index].thread { return thread }
      let thread = LoopThread(name: "muster-client")
      places.threads[index].thread = thread
      return thread
    }
  }
}
