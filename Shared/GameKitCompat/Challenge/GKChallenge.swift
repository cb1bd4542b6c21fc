public import Foundation
internal import MusterKit

/// A friend's challenge to the local player, or one of the local player to a friend. Two objects of
/// one challenge are equal.
///
/// GameKit has some properties as optionals that are never nil here. They are implicitly unwrapped,
/// so that games compile that unwrap them, and games that do not.
@preconcurrency @MainActor
public class GKChallenge {
  nonisolated let challenge: Challenge
  public let issuingPlayer: GKPlayer!
  public let receivingPlayer: GKPlayer!
  /// The state when the challenge was loaded, or `declined` after `decline` has succeeded.
  public private(set) var state: GKChallengeState

  /// - Parameter receiver: the challenged player; nil where no name of it is known.
  static func of(_ challenge: Challenge, issuer: GKPlayer, receiver: GKPlayer? = nil)
    -> GKChallenge
  {
    challenge.achievement.isEmpty
      ? GKScoreChallenge(challenge, issuer: issuer, receiver: receiver)
      : GKAchievementChallenge(challenge, issuer: issuer, receiver: receiver)
  }

  init(_ challenge: Challenge, issuer: GKPlayer, receiver: GKPlayer? = nil) {
    self.challenge = challenge
    issuingPlayer = issuer
    receivingPlayer = receiver ?? GKPlayer(challenge.receiver, displayName: "")
    state =
      switch challenge.state {
      case .pending, .accepted: .pending
      case .completed: .completed
      case .declined: .declined
      default: .invalid
      }
  }

  public var issuingPlayerID: String! { challenge.issuer.description }
  public var receivingPlayerID: String! { challenge.receiver.description }
  public var issueDate: Date { Date(milliseconds: challenge.issueDate) }
  public var completionDate: Date? { challenge.completionDate.map { Date(milliseconds: $0) } }
  public var message: String? { challenge.message.isEmpty ? nil : challenge.message }

  /// Declines the challenge, which takes it off the list. The issuer is told.
  public final func decline(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    complete(completionHandler) { () async throws(GKError) in
      guard self.state == .pending else {
        throw GKError(
          .notFound, argument: "challenge", as: .challengeInvalid,
          "The challenge is not open any more.")
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

extension GKChallenge: Hashable {
  public nonisolated static func == (left: GKChallenge, right: GKChallenge) -> Bool {
    left.challenge.id == right.challenge.id
  }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(challenge.id) }
}
