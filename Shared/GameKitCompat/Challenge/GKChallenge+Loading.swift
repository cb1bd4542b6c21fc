internal import MusterKit

extension GKChallenge {
  /// Loads the open challenges that the local player has received, newest first.
  public static func loadReceivedChallenges(
    completionHandler: (@MainActor ([GKChallenge]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in try await load() }
  }

  public static func loadReceivedChallenges() async throws -> [GKChallenge] { try await load() }

  private static func load() async throws(GKError) -> [GKChallenge] {
    let client = try GameKit.signedInClient()
    let challenges = try await client.receivedChallenges()
    let profiles = try await client.profiles(of: challenges.map(\.issuer))
    return challenges.map { challenge in
      let issuer =
        profiles[challenge.issuer].map { GKPlayer($0) }
        ?? GKPlayer(challenge.issuer, displayName: "")
      return .of(challenge, issuer: issuer, receiver: GKLocalPlayer.local)
    }
  }
}

extension GameKitClient {
  /// Returns the open challenges that the player has received, newest first.
  func receivedChallenges() async throws(GKError) -> [Challenge] {
    var challenges: [Challenge] = []
    var operation = ReceivedChallenges()
    repeat {
      let page = try await call(operation)
      challenges += page.challenges
      operation.cursor = page.cursor
    } while !operation.cursor.isEmpty
    return challenges
  }
}
