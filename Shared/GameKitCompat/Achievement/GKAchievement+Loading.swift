internal import MusterKit

extension GKAchievement {
  /// Loads the achievements that the local player has reported, the last reported first.
  public static func loadAchievements(
    completionHandler: (@MainActor ([GKAchievement]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in try await load() }
  }

  public static func loadAchievements() async throws -> [GKAchievement] { try await load() }

  /// Takes back everything that the local player has reported in this game. Completed challenges
  /// stay completed.
  public static func resetAchievements(
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in try await reset() }
  }

  public static func resetAchievements() async throws { try await reset() }

  private static func load() async throws(GKError) -> [GKAchievement] {
    let client = try GameKit.signedInClient()
    var loaded: [GKAchievement] = []
    var operation = ListAchievements()
    repeat {
      let page = try await client.call(operation)
      loaded += page.achievements.map { GKAchievement($0) }
      operation.cursor = page.cursor
    } while !operation.cursor.isEmpty
    return loaded
  }

  private static func reset() async throws(GKError) {
    _ = try await GameKit.signedInClient().call(ResetAchievements())
  }
}
