internal import Locking

/// What any thread may read of a client without waiting for the client's own thread. It is written
/// on that thread, and always before the call that changed it returns.
final class ClientStatus: Sendable {
  private struct Values {
    var state = ConnectionState.signedOut
    var session: SessionInfo?
    var currentContext: ContextInfo?
    var endedSessionCount = 0
    /// The sequences of states that somebody follows.
    var watchers: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
    var lastWatcher = 0
    var isClosed = false
  }

  private let posted = Locked(Values())

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

  /// Counts sessions that have ended, to tell a session from the next one of the same player.
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
      posted.lastWatcher += 1
      posted.watchers[posted.lastWatcher] = watcher
      return posted.lastWatcher
    }
    if let number {
      watcher.onTermination = { [weak self] _ in
        // This takes the lock, so `finish` must not be called while holding it; see `close`.
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
