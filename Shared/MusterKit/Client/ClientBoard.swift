internal import Locking

/// What anyone may look at without waiting for the client's thread. Written on that thread, and always
/// before the call that changed it returns.
final class ClientBoard: Sendable {
  private struct Posted {
    var state = ConnectionState.signedOut
    var session: SessionInfo?
    var currentContext: ContextInfo?
    var endedSessionCount = 0
    var watchers: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
    var watcherNext = 0
    var isClosed = false
  }

  private let posted = Locked(Posted())

  var state: ConnectionState { posted.withLock { $0.state } }
  var isClosed: Bool { posted.withLock { $0.isClosed } }
  var session: SessionInfo? {
    get { posted.withLock { $0.session } }
    set { posted.withLock { $0.session = newValue } }
  }
  var currentContext: ContextInfo? {
    get { posted.withLock { $0.currentContext } }
    set { posted.withLock { $0.currentContext = newValue } }
  }

  /// Tells a session from the next one, also of the same player.
  var endedSessionCount: Int { posted.withLock { $0.endedSessionCount } }

  func endSession() {
    posted.withLock { posted in
      posted.session = nil
      posted.currentContext = nil
      posted.endedSessionCount += 1
    }
  }

  func post(_ state: ConnectionState) {
    posted.withLock { posted in
      if posted.isClosed || posted.state == state { return }
      posted.state = state
      for watcher in posted.watchers.values { watcher.yield(state) }
    }
  }

  func states() -> AsyncStream<ConnectionState> {
    let (stream, watcher) = AsyncStream.makeStream(
      of: ConnectionState.self, bufferingPolicy: .bufferingNewest(8))
    let number = posted.withLock { posted -> Int? in
      watcher.yield(posted.state)
      if posted.isClosed { return nil }
      posted.watcherNext += 1
      posted.watchers[posted.watcherNext] = watcher
      return posted.watcherNext
    }
    if let number {
      watcher.onTermination = { [weak self] _ in
        // Not from inside `post`, which holds the lock: `finish` is called outside of it.
        self?.forget(number)
      }
    } else {
      watcher.finish()
    }
    return stream
  }

  private func forget(_ number: Int) {
    posted.withLock { $0.watchers[number] = nil }
  }

  func close() {
    let watchers = posted.withLock { posted in
      let watchers = Array(posted.watchers.values)
      posted.watchers = [:]
      posted.isClosed = true
      posted.state = .closed
      posted.session = nil
      return watchers
    }
    for watcher in watchers {
      watcher.yield(.closed)
      watcher.finish()
    }
  }
}
