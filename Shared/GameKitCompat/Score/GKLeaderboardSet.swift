internal import MusterKit

/// A set of the game's boards.
@preconcurrency @MainActor
public final class GKLeaderboardSet {
  public let identifier: String?
  public let title: String

  private init(_ entry: LeaderboardSetEntry) {
    identifier = entry.set
    title = entry.title
  }

  /// Loads the game's sets in the order in which the game declares them.
  public static func loadLeaderboardSets(
    completionHandler: (@MainActor ([GKLeaderboardSet]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let reply = try await GameKit.signedInClient().call(ListLeaderboardSets())
      return reply.sets.map { GKLeaderboardSet($0) }
    }
  }

  /// Loads the boards of the set in its order, with their titles.
  public func loadLeaderboards(
    completionHandler: (@MainActor ([GKLeaderboard]?, (any Error)?) -> Void)?
  ) {
    var operation = DescribeLeaderboardSet()
    operation.set = identifier ?? ""
    complete(completionHandler) { [operation] () async throws(GKError) in
      let reply = try await GameKit.signedInClient().call(operation)
      return reply.boards.map { GKLeaderboard($0) }
    }
  }
}
