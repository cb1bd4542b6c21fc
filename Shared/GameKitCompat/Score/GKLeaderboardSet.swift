internal import MusterKit

/// A set of the game's boards.
@preconcurrency @MainActor
public final class GKLeaderboardSet {
  public var identifier: String?
  public let title: String
  /// Always nil: sets here belong to one game, and not to a group of games.
  public var groupIdentifier: String? { nil }

  private init(_ entry: LeaderboardSetEntry) {
    identifier = entry.set
    title = entry.title
  }

  /// Loads the game's sets in the order in which the game declares them.
  public static func loadLeaderboardSets(
    completionHandler: (@MainActor ([GKLeaderboardSet]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in try await load() }
  }

  public static func loadLeaderboardSets() async throws -> [GKLeaderboardSet] { try await load() }

  /// Loads the boards of the set in its order; of those that start anew, the occurrence that is
  /// open or, in a gap, was open last.
  public func loadLeaderboards(
    handler: @escaping @MainActor ([GKLeaderboard]?, (any Error)?) -> Void
  ) {
    loadLeaderboards(completionHandler: handler)
  }

  /// The same, as older games call it.
  @_disfavoredOverload
  public func loadLeaderboards(
    completionHandler: (@MainActor ([GKLeaderboard]?, (any Error)?) -> Void)? = nil
  ) {
    let name = identifier ?? ""
    complete(completionHandler) { () async throws(GKError) in
      try await GameKit.signedInClient().boards(ofSet: name)
    }
  }

  public func loadLeaderboards() async throws -> [GKLeaderboard] {
    try await GameKit.signedInClient().boards(ofSet: identifier ?? "")
  }

  /// Sets have no images here: the handler gets an error.
  public func loadImage<Image>(
    completionHandler: (@MainActor (Image?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in throw .noImage }
  }

  public func loadImage<Image>() async throws -> Image { throw GKError.noImage }

  private static func load() async throws(GKError) -> [GKLeaderboardSet] {
    let reply = try await GameKit.signedInClient().call(ListLeaderboardSets())
    return reply.sets.map { GKLeaderboardSet($0) }
  }
}
