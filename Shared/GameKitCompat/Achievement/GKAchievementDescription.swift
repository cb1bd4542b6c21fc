internal import MusterKit

/// What the game declares of an achievement. How many players have it is not known.
@preconcurrency @MainActor
public final class GKAchievementDescription {
  public let identifier: String
  public let title: String
  /// For players who have completed it.
  public let achievedDescription: String
  /// For players who have not.
  public let unachievedDescription: String
  /// The points that it gives.
  public let maximumPoints: Int
  /// Nobody learns of it before having reported it: only such players load a hidden one.
  public let isHidden: Bool
  /// May be earned more than once.
  public let isReplayable: Bool

  private init(_ definition: AchievementDefinition) {
    identifier = definition.achievement
    title = definition.title
    achievedDescription = definition.descriptionAfter
    unachievedDescription = definition.descriptionBefore
    maximumPoints = Int(definition.points)
    isHidden = definition.isHidden
    isReplayable = definition.isReplayable
  }

  /// The game's achievements in the order in which it declares them.
  public static func loadAchievementDescriptions(
    completionHandler: (@MainActor ([GKAchievementDescription]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      var loaded: [GKAchievementDescription] = []
      var operation = DescribeAchievements()
      repeat {
        let page = try await client.call(operation)
        loaded += page.definitions.map { GKAchievementDescription($0) }
        operation.cursor = page.cursor
      } while !operation.cursor.isEmpty
      return loaded
    }
  }
}
