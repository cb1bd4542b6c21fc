// What GameKit has and Muster does not: a game that calls it is told when it is compiled.

#if canImport(UIKit)
  public import UIKit
#endif

extension GKAchievement {
  @available(*, unavailable, message: "GKAchievementDescription says whether it is hidden.")
  public var isHidden: Bool { false }
}

extension GKAchievementDescription {
  @available(*, unavailable, message: "Achievements have no images: show one of the game's own.")
  public static func incompleteAchievementImage() -> UIImage? { nil }

  @available(*, unavailable, message: "Achievements have no images: show one of the game's own.")
  public static func placeholderCompletedAchievementImage() -> UIImage? { nil }
}
