import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

/// One after the other: the library has one client and one local player.
@MainActor
@Suite("GameKit", .serialized, .endsAtLast)
struct GameKitTests {
  /// What a completion handler got.
  struct Outcome<Value> {
    var value: Value?
    var error: GKError?
  }

  /// Waits for a completion handler.
  @MainActor
  static func outcome<Value>(
    _ work: (@escaping @MainActor (Value?, (any Error)?) -> Void) -> Void
  ) async -> Outcome<Value> {
    let stream = AsyncStream.makeStream(of: Void.self)
    var outcome = Outcome<Value>()
    work { value, error in
      outcome = Outcome(value: value, error: error as? GKError)
      stream.continuation.yield()
    }
    var iterator = stream.stream.makeAsyncIterator()
    await iterator.next()
    return outcome
  }

  @MainActor
  static func failure(_ work: (@escaping @MainActor ((any Error)?) -> Void) -> Void) async
    -> GKError?
  {
    let outcome: Outcome<Void> = await outcome { handler in work { handler(nil, $0) } }
    return outcome.error
  }

  @MainActor
  static func client(_ prepare: (inout FakeClient.Answers) -> Void = { _ in }) -> FakeClient {
    let client = FakeClient(prepare)
    GKLocalPlayer.local.authenticateHandler = nil
    GameKit.configure(connection: client)
    return client
  }
}
