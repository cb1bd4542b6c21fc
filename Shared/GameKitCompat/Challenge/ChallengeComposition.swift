/// What a composer proposes to the player, and how it issues what the player has made of it.
@MainActor
struct ChallengeComposition {
  /// The words that the player may change.
  let message: String
  /// The players who are selected at first.
  let players: [GKPlayer]
  /// Returns what is challenged for, in words; the plain name where the server cannot be asked.
  let subject: () async -> String
  /// Challenges players, and returns why some got no challenge, by their ids.
  let issue: ([String], String) async throws(GKError) -> [String: any Error]
}
