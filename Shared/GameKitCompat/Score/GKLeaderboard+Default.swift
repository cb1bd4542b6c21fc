internal import MusterKit

extension GKLeaderboard {
  /// Muster keeps no default board, which is the one that Game Center's own screens open with: the
  /// handler gets an error.
  public static func setDefaultLeaderboard(
    _ leaderboardIdentifier: String?,
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in throw .noDefaultBoard }
  }

  public static func setDefaultLeaderboard(_ leaderboardIdentifier: String?) async throws {
    throw GKError.noDefaultBoard
  }
}

extension GKLocalPlayer {
  /// Muster keeps no default board: the handler gets an error.
  public func setDefaultLeaderboardIdentifier(
    _ leaderboardIdentifier: String,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    GKLeaderboard.setDefaultLeaderboard(
      leaderboardIdentifier, withCompletionHandler: completionHandler)
  }

  public func setDefaultLeaderboardIdentifier(_ leaderboardIdentifier: String) async throws {
    throw GKError.noDefaultBoard
  }

  /// Muster keeps no default board: the handler gets an error.
  public func loadDefaultLeaderboardIdentifier(
    completionHandler: (@MainActor (String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in throw .noDefaultBoard }
  }

  public func loadDefaultLeaderboardIdentifier() async throws -> String {
    throw GKError.noDefaultBoard
  }
}

extension GKError {
  fileprivate static var noDefaultBoard: GKError {
    GKError(.unknownOperation, "Muster keeps no default board.")
  }
}
