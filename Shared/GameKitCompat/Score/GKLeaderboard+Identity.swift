// As objects of GameKit, each is equal to itself alone.

extension GKLeaderboard: Hashable {
  public nonisolated static func == (left: GKLeaderboard, right: GKLeaderboard) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension GKLeaderboard.Entry: Hashable {
  public nonisolated static func == (left: GKLeaderboard.Entry, right: GKLeaderboard.Entry) -> Bool
  {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension GKLeaderboardSet: Hashable {
  public nonisolated static func == (left: GKLeaderboardSet, right: GKLeaderboardSet) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
