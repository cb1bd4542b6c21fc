// As objects of GameKit, each is equal to itself alone.

extension GKScore: Hashable {
  public nonisolated static func == (left: GKScore, right: GKScore) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension GKLeaderboardScore: Hashable {
  public nonisolated static func == (left: GKLeaderboardScore, right: GKLeaderboardScore) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
