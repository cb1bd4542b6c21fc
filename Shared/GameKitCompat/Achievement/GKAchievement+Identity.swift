// As objects of GameKit, each is equal to itself alone.

extension GKAchievement: Hashable {
  public nonisolated static func == (left: GKAchievement, right: GKAchievement) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension GKAchievementDescription: Hashable {
  public nonisolated static func == (
    left: GKAchievementDescription, right: GKAchievementDescription
  ) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
