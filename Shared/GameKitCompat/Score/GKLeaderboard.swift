public import Foundation
internal import MusterKit

/// The players whose entries are loaded.
public enum GKLeaderboardPlayerScope: Int, Sendable {
  case global = 0
  /// The local player's friends, and the local player.
  case friendsOnly = 1
}

/// A query of a board's ranking.
@preconcurrency @MainActor
public final class GKLeaderboard {
  public var identifier: String?
  /// The board's title, if it was loaded with a set.
  public private(set) var title: String?
  public var playerScope = GKLeaderboardPlayerScope.global
  /// The ranks to load, from 1; at most 100.
  public var range = NSRange(location: 1, length: 25)

  // The results of the last load.

  public private(set) var scores: [GKScore]?
  /// The local player's entry in the scope, also if it is outside the range; nil when there is
  /// none.
  public private(set) var localPlayerScore: GKScore?
  /// How many entries the scope has in all.
  public private(set) var maxRange = 0
  private var loads = 0

  public init() {}

  init(_ member: LeaderboardSetMember) {
    identifier = member.board
    title = member.title
  }

  public var isLoading: Bool { loads > 0 }

  /// Loads the entries of `range` in the order of the board.
  public func loadScores(
    completionHandler: (@MainActor ([GKScore]?, (any Error)?) -> Void)?
  ) {
    let query = Query(
      board: identifier ?? "", scope: playerScope, start: UInt32(clamping: range.location),
      count: UInt32(clamping: range.length))
    loads += 1
    complete(completionHandler) { () async throws(GKError) in
      defer { self.loads -= 1 }
      let client = try GameKit.signedInClient()
      let page = try await query.page(client)
      let known = page.entries + [page.localEntry].compactMap { $0 }
      let names = try await client.displayNames(of: known.map(\.player))
      @MainActor func score(_ entry: LeaderboardEntry) -> GKScore {
        let player = GKPlayer(entry.player, displayName: names[entry.player] ?? "")
        return GKScore(entry, query.board, player)
      }
      let scores = page.entries.map { score($0) }
      self.scores = scores
      self.localPlayerScore = page.localEntry.map { score($0) }
      self.maxRange = Int(page.total)
      return scores
    }
  }

  private struct Query {
    var board: String
    var scope: GKLeaderboardPlayerScope
    var start: UInt32
    var count: UInt32

    func page(_ client: any GameKitClient) async throws(GKError) -> ScorePage {
      switch scope {
      case .global:
        var operation = TopScores()
        (operation.board, operation.start, operation.count) = (board, start, count)
        if let fault = operation.fault { throw GKError(fault) }
        return try await client.call(operation)
      case .friendsOnly:
        var operation = FriendScores()
        (operation.board, operation.start, operation.count) = (board, start, count)
        if let fault = operation.fault { throw GKError(fault) }
        return try await client.call(operation)
      }
    }
  }
}
