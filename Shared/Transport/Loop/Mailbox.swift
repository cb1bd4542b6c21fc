internal import Locking

/// A way into a loop from any thread: what is sent is handled on the loop, in the order sent.
///
/// Sending is a lock and an append; the loop is woken once for all that arrives before it looks.
/// Once the loop has ended, messages are let go of, also those that wait.
public struct Mailbox<Message: Sendable>: Sendable {
  fileprivate let handle: Handle

  public func send(_ message: Message) {
    if handle.queue.push(message) { handle.executor.open(door: handle.door) }
  }

  /// When the last copy of a mailbox goes, its handler goes too.
  fileprivate final class Handle: Sendable {
    let queue: MailboxQueue<Message>
    let executor: LoopExecutor
    let door: Int

    init(queue: MailboxQueue<Message>, executor: LoopExecutor, door: Int) {
      self.queue = queue
      self.executor = executor
      self.door = door
    }

    deinit { executor.retire(door: door) }
  }
}

final class MailboxQueue<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var isClosed = false
  }
  private let state = Locked(State())

  /// Whether the queue was empty, so that the loop must be told.
  func push(_ message: Message) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.messages.append(message)
      return state.messages.count == 1
    }
  }

  func take() -> [Message] {
    state.withLock { state in
      let taken = state.messages
      state.messages.removeAll()
      return taken
    }
  }

  /// Lets go of what waits and of all that is still to come: a message may hold what has to be freed,
  /// such as a socket, and nobody is left to handle it.
  func close() {
    state.withLock { $0.isClosed = true }
    _ = take()
  }
}

extension Loop {
  /// Makes a door into the loop; `handler` stays confined to it.
  public func mailbox<Message: Sendable>(_ handler: @escaping (Message) -> Void)
    -> Mailbox<Message>
  {
    let queue = MailboxQueue<Message>()
    let door = addDoor(
      Door(
        drain: { for message in queue.take() { handler(message) } }, close: { queue.close() }))
    return Mailbox(handle: .init(queue: queue, executor: executor, door: door))
  }
}
