internal import Locking

/// One sequence for any number of consumers. Each has the elements from when it came, and one that
/// is slow misses the oldest of them.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var consumers: [Int: AsyncStream<Element>.Continuation] = [:]
    var lastNumber = 0
    var isClosed = false
  }

  private let state = Locked(State())
  /// Elements that wait for one consumer.
  private let waitingMax: Int

  init(waitingMax: Int) { self.waitingMax = waitingMax }

  /// A consumer's own sequence; it has ended already when the broadcast is closed.
  func stream(beginningWith first: Element? = nil) -> AsyncStream<Element> {
    let (stream, consumer) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(waitingMax))
    if let first { consumer.yield(first) }
    let number = state.withLock { state -> Int? in
      if state.isClosed { return nil }
      state.lastNumber += 1
      state.consumers[state.lastNumber] = consumer
      return state.lastNumber
    }
    if let number {
      consumer.onTermination = { [weak self] _ in
        // Not from inside the lock: `finish` is called outside of it.
        self?.forget(number)
      }
    } else {
      consumer.finish()
    }
    return stream
  }

  private func forget(_ number: Int) { state.withLock { $0.consumers[number] = nil } }

  /// Whom `send` reaches now.
  var consumers: [AsyncStream<Element>.Continuation] {
    state.withLock { Array($0.consumers.values) }
  }

  /// Sends are in order only where they come from one thread.
  func send(_ element: Element) { Self.send(element, to: consumers) }

  /// Never to be called under a lock: the consumer's task is locked to be woken, and where it is
  /// being cancelled, it is locked while `forget` waits.
  static func send(_ element: Element, to consumers: [AsyncStream<Element>.Continuation]) {
    for consumer in consumers { consumer.yield(element) }
  }

  /// Ends the sequences of all consumers there are; later ones begin anew.
  func end() { finish(closes: false) }

  /// Ends all sequences, also those of consumers that come later.
  func close() { finish(closes: true) }

  private func finish(closes: Bool) {
    let consumers = state.withLock { state in
      if closes { state.isClosed = true }
      let consumers = Array(state.consumers.values)
      state.consumers = [:]
      return consumers
    }
    for consumer in consumers { consumer.finish() }
  }
}
