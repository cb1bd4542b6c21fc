internal import Locking

/// Brings messages from any thread into a loop, where they are handled in the order sent.
///
/// Sending costs a lock and an append. The loop is woken once for all messages that arrive before
/// it looks. Once the loop has ended, messages are dropped, also those that wait.
public struct Mailbox<Message: Sendable>: Sendable {
  fileprivate let handle: Handle

  public func send(_ message: Message) {
    if handle.queue.push(message) { handle.executor.drain(door: handle.door) }
  }

  /// What the copies of a mailbox share. When the last copy is released, the loop releases the
  /// handler.
  fileprivate final class Handle: Sendable {
    let queue: MailboxQueue<Message>
    let executor: LoopExecutor
    let door: Int

    init(queue: MailboxQueue<Message>, executor: LoopExecutor, door: Int) {
      self.queue = queue
      self.executor = executor
      self.door = door
    }

    deinit { executor.remove(door: door) }
  }
}

final class MailboxQueue<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var isClosed = false
  }
  private let state = Locked(State())

  /// Appends a message; returns whether the queue was empty before, so that the loop must be woken.
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

  /// Drops the waiting messages and all that come later. Nobody is left to handle them, and one of
  /// them may hold something that has to be freed, such as a socket.
  func close() {
    state.withLock { $0.isClosed = true }
    _ = take()
  }
}

extension Loop {
  /// Makes a mailbox whose messages `handler` handles on this loop.
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
