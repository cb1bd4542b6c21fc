internal import Synchronization

/// The player's durable events, from the one after the last acknowledged: each once, in order,
/// whatever happens to the connection. Ends when the player signs out or the client closes.
///
/// Every iterator is a consumer of its own with its own place in the stream. One that was made before a
/// sign-out has ended with it.
public struct PlayerEvents: AsyncSequence, Sendable {
  public typealias Element = PlayerEvent
  public typealias Failure = Never

  let client: MusterClient
  let after: UInt64?

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

/// A consumer's place; when nobody has it any more, the client forgets it.
final class EventPlace: Sendable {
  private static let numbers = Atomic<UInt64>(0)

  let client: MusterClient
  let number: UInt64
  let after: UInt64?
  /// A cursor says nothing of the stream of whoever signs in next.
  let endedSessionCount: Int

  init(client: MusterClient, after: UInt64?) {
    self.client = client
    self.after = after
    endedSessionCount = client.board.endedSessionCount
    number = Self.numbers.add(1, ordering: .relaxed).newValue
  }

  deinit {
    Task { [client, number] in await client.closeFeed(number) }
  }
}

extension MusterClient {
  /// The player's events after the last acknowledged one.
  ///
  /// Under the automatic policy an event is acknowledged when every consumer that exists has dealt with
  /// it, by asking for the next one. One that is made later does not get it any more: a consumer that
  /// comes and goes beside others keeps a cursor of its own, and then can miss what the server has
  /// forgotten meanwhile (`isAfterLoss`).
  public nonisolated var events: PlayerEvents { events(after: nil) }

  /// The player's events after a cursor that the game has kept; nil begins after what was
  /// acknowledged.
  public nonisolated func events(after cursor: UInt64?) -> PlayerEvents {
    PlayerEvents(client: self, after: cursor)
  }

  /// Tells the server that everything up to `sequence` was dealt with, on all of the player's devices.
  /// Only needed under the manual policy.
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
      guard let core = try? core(), place.endedSessionCount == board.endedSessionCount else {
        continuation.resume(returning: nil)
        return
      }
      core.nextEvent(place.number, after: place.after) { continuation.resume(returning: $0) }
      if Task.isCancelled { core.stopWaiting(place.number) }
    }
  }

  private func stopWaiting(_ number: UInt64) { try? core().stopWaiting(number) }

  func closeFeed(_ number: UInt64) {
    if !board.isClosed { try? core().closeFeed(number) }
  }
}
