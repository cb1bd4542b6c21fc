import Locking
@testable import MusterKit

@testable import GameKitCompat

extension FakeClient {
  /// Puts an event into the player's stream.
  func send<E: Event>(_ event: E, _ sequence: UInt64) {
    var streamed = StreamEvent()
    streamed.sequence = sequence
    streamed.kind = E.opcode.rawValue
    streamed.body = Bytes(event.encoded)
    send(PlayerEvent(streamed))
  }

  func hint<E: Event>(_ event: E) {
    let hint = PlayerHint(kind: E.opcode, body: event.encoded)
    for hearer in answers.withLock({ $0.hintHearers }) { hearer.yield(hint) }
  }

  func endHints() {
    for hearer in answers.withLock({ $0.hintHearers }) { hearer.finish() }
  }
}

/// Something that a fake was asked for, so that a test can wait for it.
struct Signal: Sendable {
  private let signals = AsyncStream.makeStream(of: Void.self)

  func yield() { signals.continuation.yield() }

  func next() async {
    var iterator = signals.stream.makeAsyncIterator()
    await iterator.next()
  }
}
