internal import MusterKit

/// What the game declares about an achievement.
@preconcurrency @MainActor
public final class GKAchievementDescription {
  public let identifier: String
  public let title: String
  /// The description for players who have completed it.
  public let achievedDescription: String
  /// The description for players who have not completed it.
  public let unachievedDescription: String
  /// The points for completing it.
  public let maximumPoints: Int
  /// Whether it is hidden; a player loads a hidden one only after having reported it.
  public let isHidden: Bool
  /// Whether it may be earned more than once.
  public let isReplayable: Bool
  /// Always nil: achievements here belong to one game, and not to a group of games.
  public var groupIdentifier: String? { nil }
  /// Always nil, as in GameKit where too little is known: Muster does not count who has earned it.
  public var rarityPercent: Double? { nil }

  private init(_ definition: AchievementDefinition) {
    identifier = definition.achievement
    title = definition.title
    achievedDescription = definition.descriptionAfter
    unachievedDescription = definition.descriptionBefore
    maximumPoints = Int(definition.points)
    isHidden = definition.isHidden
    isReplayable = definition.isReplayable
  }

  /// Loads the game's achievements in the order in which the game declares them.
  public static func loadAchievementDescriptions(
    completionHandler: (@MainActor ([GKAchievementDescription]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in try await load() }
  }

  public static func loadAchievementDescriptions() async throws -> [GKAchievementDescription] {
    try await load()
  }

  /// Achievements have no images here: the handler gets an error.
  public func loadImage<Image>(
    completionHandler: (@MainActor (Image?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in throw .noImage }
  }

  public func loadImage<Image>() async throws -> Image { throw GKError.noImage }

  static func load() async throws(GKError) -> [GKAchievementDescription] {
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
