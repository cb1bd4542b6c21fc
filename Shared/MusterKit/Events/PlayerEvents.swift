public import Operations
internal import Synchronization

/// The player's durable events after a cursor: each once and in order, whatever happens to the
/// connection. The sequence ends when the player signs out or the client closes.
///
/// Every iterator is a consumer with its own place in the stream, from its first `next` on. A
/// sign-out ends the iterators that were made before it.
public struct PlayerEvents: AsyncSequence, Sendable {
  public typealias Element = PlayerEvent
  public typealias Failure = Never

  let client: MusterClient
  let after: StreamPlace?

  public func makeAsyncIterator() -> Iterator {
    Iterator(place: EventPlace(client: client, after: after))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let place: EventPlace

    /// Waits for the next event; nil at the end, and when the task was cancelled.
    public mutating func next() async -> PlayerEvent? {
      await place.client.nextEvent(place)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> PlayerEvent? {
      await place.client.nextEvent(place)
    }
  }
}

/// A consumer's place in the stream. When it is released, the client forgets the consumer.
final class EventPlace: Sendable {
  private static let numbers = Atomic<UInt64>(0)

  let client: MusterClient
  let number: UInt64
  let after: StreamPlace?
  /// The session that the place belongs to: the next session may be of another player, in whose
  /// stream this cursor means nothing.
  let endedSessionCount: Int

  init(client: MusterClient, after: StreamPlace?) {
    self.client = client
    self.after = after
    endedSessionCount = client.status.endedSessionCount
    number = Self.numbers.add(1, ordering: .relaxed).newValue
  }

  deinit {
    Task { [client, number] in await client.closeFeed(number) }
  }
}

extension MusterClient {
  /// The player's events after the last acknowledged one.
  ///
  /// Under the automatic policy an event is acknowledged when every consumer has dealt with it, by
  /// asking for the next one. A consumer that first asks after that does not get it. One that comes
  /// and goes should keep a `place` and use `events(after:)`; what the server has forgotten by then
  /// is told by `isAfterLoss`.
  public nonisolated var events: PlayerEvents { events(after: nil) }

  /// Returns the player's events after a place that the game has kept: the `place` of an event.
  /// nil, or a place of a stream that the server has lost since, begins after the last acknowledged
  /// event; in the second case the first event says so (`isAfterLoss`).
  public nonisolated func events(after place: StreamPlace?) -> PlayerEvents {
    PlayerEvents(client: self, after: place)
  }

  /// Tells the server that every event up to `sequence` was dealt with, for all of the player's
  /// devices in this game. It is only needed under the manual policy.
  ///
  /// - Throws: among others `cursorLost` where the server's stream has gone back to a backup before
  ///   it could be told, so that `sequence` is another event's by now.
  public nonisolated func acknowledge(through sequence: UInt64) async throws(MusterError) {
    var operation = Acknowledge()
    operation.through = sequence
    _ = try await call(operation)
  }

  func nextEvent(_ place: EventPlace) async -> PlayerEvent? {
    let number = place.number
    return await withTaskCancellationHandler {
      await self.wait(place)
    } onCancel: {
      Task { await self.stopWaiting(number) }
    }
  }

  private func wait(_ place: EventPlace) async -> PlayerEvent? {
    await withCheckedContinuation { continuation in
      guard let core = try? core(), place.endedSessionCount == status.endedSessionCount else {
        continuation.resume(returning: nil)
        return
      }
      core.nextEvent(place.number, after: place.after) { continuation.resume(returning: $0) }
      if Task.isCancelled { core.stopWaiting(place.number) }
    }
  }

  private func stopWaiting(_ number: UInt64) { try? core().stopWaiting(number) }

  func closeFeed(_ number: UInt64) {
    if !status.isClosed { try? core().closeFeed(number) }
  }
}
