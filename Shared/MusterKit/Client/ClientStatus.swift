internal import Locking
internal import Synchronization
internal import Transport

/// What any thread may read of a client without waiting for the client's own thread. It is written
/// on that thread, and always before the call that changed it returns.
final class ClientStatus: Sendable {
  private struct Values {
    var state = ConnectionState.signedOut
    var session: SessionInfo?
    var currentContext: ContextInfo?
    var frictionlessRecipients: Set<PlayerID>?
    var endedSessionCount = 0
    var isClosed = false
    /// The way to the client's loop, from its first use to its end.
    var entrance: Mailbox<ClientOrder>?
  }

  private let lastCallID = Atomic<UInt64>(0)
  private let posted = Locked(Values())
  /// The sequences of states that somebody follows.
  private let watchers = Broadcast<ConnectionState>(waitingMax: 8)
  /// A game deals with a hint within a frame or two.
  let hints = Broadcast<PlayerHint>(waitingMax: 64)
  /// None is left out: nothing else tells who watches for an end. They are as many as the server
  /// keeps of them for a player.
  let matchmaking = Broadcast<PlayerEvent>(waitingMax: .max)

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

  var entrance: Mailbox<ClientOrder>? {
    get { posted.withLock { $0.entrance } }
    set { posted.withLock { $0.entrance = newValue } }
  }

  /// Closes the entrance, and returns it to whoever has a last order.
  func takeEntrance() -> Mailbox<ClientOrder>? { posted.withLock { $0.entrance.take() } }

  /// Returns the id for a new call, whatever thread it is made on.
  func nextCallID() -> UInt64 { lastCallID.add(1, ordering: .relaxed).newValue }

  var frictionlessRecipients: Set<PlayerID>? {
    get { posted.withLock { $0.frictionlessRecipients } }
    set { posted.withLock { $0.frictionlessRecipients = newValue } }
  }

  /// Counts sessions that have ended, to tell a session from the next one of the same player.
  var endedSessionCount: Int { posted.withLock { $0.endedSessionCount } }

  func endSession() {
    posted.withLock { posted in
      posted.session = nil
      posted.currentContext = nil
      posted.frictionlessRecipients = nil
      posted.endedSessionCount += 1
    }
    hints.end()
    matchmaking.end()
  }

  func post(_ state: ConnectionState) {
    let followers = posted.withLock { posted -> [AsyncStream<ConnectionState>.Continuation] in
      if posted.isClosed || posted.state == state { return [] }
      posted.state = state
      return watchers.consumers
    }
    Broadcast.send(state, to: followers)
  }

  func states() -> AsyncStream<ConnectionState> {
    // Under the lock, so that no state is left out or told twice between the first and the next.
    posted.withLock { watchers.stream(beginningWith: $0.state) }
  }

  func close() {
    let followers = posted.withLock { posted -> [AsyncStream<ConnectionState>.Continuation] in
      posted.isClosed = true
      posted.state = .closed
      posted.session = nil
      posted.entrance = nil
      return watchers.consumers
    }
    Broadcast.send(.closed, to: followers)
    watchers.close()
    hints.close()
    matchmaking.close()
  }
}
