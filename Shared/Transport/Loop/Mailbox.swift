internal import Locking

/// A way into a loop from any thread: what is sent is handled on the loop, in the order sent.
///
/// Sending is a lock and an append; the loop is woken once for all that arrives before it looks.
/// After the loop has ended, messages are dropped.
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
  private let messages = Locked<[Message]>([])

  /// Whether the queue was empty, so that the loop must be told.
  func push(_ message: Message) -> Bool {
    messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
  }

  func take() -> [Message] {
    messages.withLock { messages in
      let taken = messages
      messages.removeAll()
      return taken
    }
  }
}

extension Loop {
  /// Makes a door into the loop; `handler` stays confined to it.
  public func mailbox<Message: Sendable>(_ handler: @escaping (Message) -> Void)
    -> Mailbox<Message>
  {
    let queue = MailboxQueue<Message>()
    let door = addMailbox { for message in queue.take() { handler(message) } }
    return Mailbox(handle: .init(queue: queue, executor: executor, door: door))
  }
}
