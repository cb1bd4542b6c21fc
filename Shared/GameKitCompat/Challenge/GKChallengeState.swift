public enum GKChallengeState: Int, Sendable {
  /// The challenge has expired, was withdrawn, or is in a state that this version does not know.
  case invalid = 0
  /// The challenge can still be completed.
  case pending = 1
  case completed = 2
  case declined = 3
}
