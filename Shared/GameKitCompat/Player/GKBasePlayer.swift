/// Any player, as GameKit's older classes have it in common.
@preconcurrency @MainActor
public class GKBasePlayer {
  init() {}

  public nonisolated var playerID: String? { nil }
  public var displayName: String? { nil }
}
