public import Foundation
internal import MusterKit

/// One attempt to report, or a player's entry that was loaded.
@preconcurrency @MainActor
public final class GKScore {
  public let leaderboardIdentifier: String
  /// The player whose entry it is; the local player's for a score to report.
  public let player: GKPlayer
  /// From 1 within what was loaded; 0 for a score that was not.
  public let rank: Int
  /// By the server's clock; nil for a score that was not loaded.
  public let date: Date?
  /// Sixty-four bits of the game's own.
  public var context: UInt64 = 0
  public var value: Int64 {
    get { setValue ?? 0 }
    set { setValue = newValue }
  }
  private var setValue: Int64?

  public init(leaderboardIdentifier: String) {
    self.leaderboardIdentifier = leaderboardIdentifier
    player = GKLocalPlayer.local
    rank = 0
    date = nil
  }

  init(_ entry: LeaderboardEntry, _ board: String, _ player: GKPlayer) {
    leaderboardIdentifier = board
    self.player = player
    rank = Int(entry.rank)
    date = Date(milliseconds: entry.date)
    context = entry.context
    setValue = entry.value
  }

  init(target challenge: Challenge, issuer: GKPlayer) {
    leaderboardIdentifier = challenge.board
    player = issuer
    rank = 0
    date = Date(milliseconds: challenge.issueDate)
    context = challenge.context
    setValue = challenge.value
  }

  /// Reports this attempt. A score whose `value` was never set is an error.
  public func report(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    Self.report([self], withCompletionHandler: completionHandler)
  }

  /// Reports attempts in order, until one fails. They may complete any open challenge.
  public static func report(
    _ scores: [GKScore],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    let operations = scores.map(\.operation)
    complete(completionHandler) { () async throws(GKError) in try await submit(operations) }
  }

  /// Reports attempts in order, until one fails. They may complete none but the challenges named.
  public static func report(
    _ scores: [GKScore], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    let operations = scores.map { score in
      var operation = score.operation
      operation.eligibility = .listed
      operation.eligibleChallenges = challenges.filter {
        $0.challenge.board == score.leaderboardIdentifier
      }.map(\.challenge.id)
      return operation
    }
    complete(completionHandler) { () async throws(GKError) in try await submit(operations) }
  }

  private var operation: SubmitScore {
    var operation = SubmitScore()
    operation.board = leaderboardIdentifier
    operation.value = setValue
    operation.context = context
    return operation
  }

  private static func submit(_ operations: [SubmitScore]) async throws(GKError) {
    let client = try GameKit.signedInClient()
    for operation in operations {
      if let fault = operation.fault { throw GKError(fault) }
    }
    for operation in operations { _ = try await client.call(operation) }
  }

  /// Challenges friends to meet the local player's entry on the board. Report the score first; call
  /// it only when the player has said so.
  ///
  /// - Parameters:
  ///   - playerIDs: friends of the local player.
  ///   - message: what they read beside the challenge; the local player may have edited it.
  ///   - completionHandler: gets, by player id, why some got no challenge; empty when all got theirs.
  public func issueChallenge(
    toPlayers playerIDs: [String]?, message: String?,
    completionHandler: (@MainActor ([String: any Error]?, (any Error)?) -> Void)? = nil
  ) {
    let board = leaderboardIdentifier
    complete(completionHandler) { () async throws(GKError) in
      try await Self.issue(board, to: playerIDs ?? [], message: message ?? "")
    }
  }

  private static func issue(_ board: String, to playerIDs: [String], message: String)
    async throws(GKError) -> [String: any Error]
  {
    let client = try GameKit.signedInClient()
    var refusals: [String: any Error] = [:]
    var operation = IssueScoreChallenge()
    operation.board = board
    operation.message = message
    for text in playerIDs {
      if let player = PlayerID(text) {
        operation.receivers.append(player)
      } else {
        refusals[text] = GKError(.notReachable, argument: "receivers", "No such player.")
      }
    }
    if operation.receivers.isEmpty && !refusals.isEmpty { return refusals }
    if let fault = operation.fault { throw GKError(fault) }
    for outcome in try await client.call(operation).outcomes where outcome.challenge == nil {
      refusals[outcome.receiver.description] = GKError(outcome.refusal)
    }
    return refusals
  }
}

extension Date {
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
