internal import MusterKit

/// What whoever has a match looked for hears of the search.
@MainActor
struct SearchObserver {
  /// A player who was invited has answered, or has not in time.
  var answered: (PlayerID, GKInviteRecipientResponse) -> Void = { _, _ in }
  /// The ticket waits, and half of those like it waited no longer than this.
  var waits: (Duration) -> Void = { _ in }
}
