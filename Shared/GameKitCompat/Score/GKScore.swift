public import Foundation
internal import MusterKit

/// An attempt to report, or a loaded entry of a player.
@preconcurrency @MainActor
public final class GKScore {
  public let leaderboardIdentifier: String
  /// The player whose entry it is; the local player for a score to report.
  public let player: GKPlayer
  /// The rank within the loaded scope, from 1; 0 for a score that was not loaded.
  public let rank: Int
  /// The date by the server's clock; nil for a score that was not loaded.
  public let date: Date?
  /// A number of the game's own, which is kept with the score. It has GameKit's name here;
  /// elsewhere in Muster it is the score's tag, and "context" means a gaming context.
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
    context = entry.scoreTag
    setValue = entry.value
  }

  init(target challenge: Challenge, issuer: GKPlayer) {
    leaderboardIdentifier = challenge.board
    player = issuer
    rank = 0
    date = Date(milliseconds: challenge.issueDate)
    context = challenge.scoreTag
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

  /// Reports attempts in order, until one fails. They may complete only the named challenges.
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
    operation.scoreTag = context
    return operation
  }

  private static func submit(_ operations: [SubmitScore]) async throws(GKError) {
    let client = try GameKit.signedInClient()
    for operation in operations {
      if let fault = operation.fault { throw GKError(fault) }
    }
    for operation in operations { _ = try await client.call(operation) }
  }

  /// Challenges friends to meet this score, with its `context`; one whose `value` was never set
  /// stands for the local player's entry on the board. Report the score first: one that is better
  /// than the entry is an error. Call this only when the player has asked for it.
  ///
  /// On a board of sums the friends' sums have to meet the local player's sum, of which this
  /// attempt is a part, or the value of a score that was loaded.
  ///
  /// - Parameters:
  ///   - playerIDs: friends of the local player.
  ///   - message: the text that the friends read beside the challenge; the local player may have
  ///     edited it.
  ///   - completionHandler: gets, for each player who got no challenge, the reason by the player's
  ///     id; it is empty when everybody got one.
  public func issueChallenge(
    toPlayers playerIDs: [String]?, message: String?,
    completionHandler: (@MainActor ([String: any Error]?, (any Error)?) -> Void)? = nil
  ) {
    var operation = IssueScoreChallenge()
    operation.board = leaderboardIdentifier
    operation.message = message ?? ""
    (operation.value, operation.scoreTag) = (setValue, setValue == nil ? 0 : context)
    operation.isAttempt = setValue != nil && date == nil
    complete(completionHandler) { [operation] () async throws(GKError) in
      try await Self.issue(operation, to: playerIDs ?? [])
    }
  }

  private static func issue(_ draft: IssueScoreChallenge, to playerIDs: [String])
    async throws(GKError) -> [String: any Error]
  {
    let client = try GameKit.signedInClient()
    var refusals: [String: any Error] = [:]
    var operation = draft
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
