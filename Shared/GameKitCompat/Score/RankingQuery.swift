internal import Foundation
internal import MusterKit

/// A question about a board's ranking.
struct RankingQuery {
  enum Scope {
    case everyone
    case friends
    case listed([PlayerID])
  }

  var board: String
  var scope: Scope
  var start: UInt32 = 1
  var count = UInt32(LeaderboardLimits.entryCountMax)
  var period = ScorePeriod()

  /// Ranks of a part of the board's players.
  init(_ board: String, _ scope: GKLeaderboard.PlayerScope, _ range: NSRange) {
    self.board = board
    self.scope = scope == .global ? .everyone : .friends
    (start, count) = (UInt32(clamping: range.location), UInt32(clamping: range.length))
  }

  /// All ranks of these players.
  init(_ board: String, among players: [GKPlayer]) {
    self.board = board
    scope = .listed(players.map(\.identifier))
  }

  /// The first rule that the question breaks whatever the server knows; nil when there is none.
  var fault: Failure? {
    if case .friends = scope { return friendScores.fault }
    return topScores.fault
  }

  /// Returns the entries: those of the range, or of a list all.
  func page(_ client: any GameKitClient) async throws(GKError) -> ScorePage {
    switch scope {
    case .everyone: return try await client.call(topScores)
    case .friends: return try await client.call(friendScores)
    case .listed:
      var page = try await client.call(topScores)
      while page.entries.count < page.total {
        var rest = topScores
        rest.start = UInt32(page.entries.count) + 1
        let more = try await client.call(rest).entries
        if more.isEmpty { break }
        page.entries += more
      }
      return page
    }
  }

  private var topScores: TopScores {
    var operation = TopScores()
    (operation.board, operation.start, operation.count) = (board, start, count)
    operation.period = period
    if case .listed(let players) = scope {
      (operation.scope, operation.players) = (.players, players)
    }
    return operation
  }

  private var friendScores: FriendScores {
    var operation = FriendScores()
    (operation.board, operation.start, operation.count) = (board, start, count)
    operation.period = period
    return operation
  }
}
