internal import Locking
internal import MusterKit

/// A match that matchmaking has found, until it has begun. Too few may join it; then the server has
/// the player wait again by a new ticket. The game hears that the match is over and searches again
/// when it likes, so nobody would be there for what that ticket finds: it is given up.
final class FoundMatch: Sendable {
  private let context: ContextID
  private let client: any GameKitClient
  private let watcher: Task<Void, Never>
  private let hasBegun = Locked(false)

  init(in context: ContextID, _ client: any GameKitClient) {
    (self.context, self.client) = (context, client)
    // From before the seat is taken, so that the end is not missed.
    let events = client.matchmakingEvents
    watcher = Task { await Self.giveUpTicket(of: context, events, client) }
  }

  func seat() async throws(MusterError) -> any MatchSeating {
    do throws(MusterError) {
      return try await client.foundSeat(in: context)
    } catch {
      // A join that is cancelled has left the context by itself.
      if error.code == .cancelled { watcher.cancel() } else { await leave() }
      throw error
    }
  }

  func begin() { hasBegun.withLock { $0 = true } }

  /// Another device of the player has taken the seat and plays on in the context: there is nothing
  /// that this one could leave.
  func handOver() { begin() }

  /// The game has left the match. The others do not wait for the player, and are not kept from
  /// another match, when it has not begun.
  func leave() async {
    if !hasBegun.withLock({ $0 }) {
      await uncancelled { [context, client] in await Self.leave(context, client) }
    }
    watcher.cancel()
  }

  static func leave(_ context: ContextID, _ client: any GameKitClient) async {
    var operation = LeaveContext()
    operation.context = context
    _ = try? await client.call(operation, deadline: nil)
  }

  private static func giveUpTicket(
    of context: ContextID, _ events: AsyncStream<PlayerEvent>, _ client: any GameKitClient
  ) async {
    for await event in events {
      guard let ended = event.decode(JoiningEnded.self), ended.context == context else { continue }
      guard let ticket = ended.ticket else { return }
      var operation = CancelTicket()
      (operation.ticket, operation.playerGroup) = (ticket, ended.playerGroup)
      let reply = try? await client.call(operation, deadline: nil)
      if let found = reply?.context { await leave(found, client) }
      return
    }
  }
}
