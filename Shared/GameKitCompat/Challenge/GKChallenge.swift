public import Foundation
internal import MusterKit

public enum GKChallengeState: Int, Sendable {
  /// The challenge has expired, was withdrawn, or is in a state that this version does not know.
  case invalid = 0
  /// The challenge can still be completed.
  case pending = 1
  case completed = 2
  case declined = 3
}

/// A friend's challenge to the local player.
@preconcurrency @MainActor
public class GKChallenge {
  let challenge: Challenge
  public let issuingPlayer: GKPlayer
  /// The state when the challenge was loaded, or `declined` after `decline` has succeeded.
  public private(set) var state: GKChallengeState

  static func of(_ challenge: Challenge, issuer: GKPlayer) -> GKChallenge {
    challenge.achievement.isEmpty
      ? GKScoreChallenge(challenge, issuer: issuer)
      : GKAchievementChallenge(challenge, issuer: issuer)
  }

  init(_ challenge: Challenge, issuer: GKPlayer) {
    self.challenge = challenge
    issuingPlayer = issuer
    state =
      switch challenge.state {
      case .pending, .accepted: .pending
      case .completed: .completed
      case .declined: .declined
      default: .invalid
      }
  }

  public var issuingPlayerID: String { challenge.issuer.description }
  public var receivingPlayerID: String { challenge.receiver.description }
  public var issueDate: Date { Date(milliseconds: challenge.issueDate) }
  public var completionDate: Date? { challenge.completionDate.map { Date(milliseconds: $0) } }
  public var message: String? { challenge.message.isEmpty ? nil : challenge.message }

  /// Loads the open challenges that the local player has received, newest first.
  public static func loadReceivedChallenges(
    completionHandler: (@MainActor ([GKChallenge]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      let challenges = try await client.receivedChallenges()
      let names = try await client.displayNames(of: challenges.map(\.issuer))
      return challenges.map { challenge in
        let name = names[challenge.issuer] ?? ""
        return GKChallenge.of(challenge, issuer: GKPlayer(challenge.issuer, displayName: name))
      }
    }
  }

  /// Declines the challenge, which takes it off the list. The issuer is told.
  public func decline(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    complete(completionHandler) { () async throws(GKError) in
      guard self.state == .pending else {
        throw GKError(.notFound, argument: "challenge", "The challenge is not open any more.")
      }
      let client = try GameKit.signedInClient()
      if self.challenge.achievement.isEmpty {
        var operation = DeclineChallenge()
        operation.board = self.challenge.board
        operation.challenge = self.challenge.id
        _ = try await client.call(operation)
      } else {
        var operation = AnswerAchievementChallenge()
        operation.challenge = self.challenge.id
        _ = try await client.call(operation)
      }
      self.state = .declined
      GKLocalPlayer.local.challengeEvents.forget(self.challenge.id)
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

/// A challenge to meet a score.
public final class GKScoreChallenge: GKChallenge {
  /// The score to meet, with the player whose score it is.
  public lazy var score: GKScore? = GKScore(target: challenge, issuer: issuingPlayer)
}

/// A challenge to earn an achievement.
public final class GKAchievementChallenge: GKChallenge {
  /// The achievement to earn, with the issuer's progress, which is complete.
  public lazy var achievement: GKAchievement? = {
    let achievement = GKAchievement(identifier: challenge.achievement, player: issuingPlayer)
    achievement.percentComplete = 100
    return achievement
  }()
  /// The name of the achievement to earn.
  public var achievementIdentifier: String { challenge.achievement }
}
