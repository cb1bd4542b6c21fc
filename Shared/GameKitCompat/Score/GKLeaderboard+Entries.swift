public import Foundation
internal import MusterKit

extension GKLeaderboard {
  /// Loads a part of the ranking.
  ///
  /// - Parameters:
  ///   - playerScope: whose entries.
  ///   - timeScope: does not count for a board that starts anew.
  ///   - range: the ranks to load, from 1; at most 100.
  ///   - completionHandler: gets the local player's own entry in the scope, also if it is outside
  ///     the range, the entries, and how many the scope has in all.
  public func loadEntries(
    for playerScope: PlayerScope, timeScope: TimeScope, range: NSRange,
    completionHandler: @escaping @MainActor (Entry?, [Entry]?, Int, (any Error)?) -> Void
  ) {
    let query = RankingQuery(baseLeaderboardID, playerScope, range)
    Task {
      do throws(GKError) {
        let ranking = try await load(query, timeScope)
        completionHandler(ranking.localEntry, ranking.entries, ranking.total, nil)
      } catch {
        completionHandler(nil, nil, 0, error)
      }
    }
  }

  public func loadEntries(for playerScope: PlayerScope, timeScope: TimeScope, range: NSRange)
    async throws -> (Entry?, [Entry], Int)
  {
    let ranking = try await load(RankingQuery(baseLeaderboardID, playerScope, range), timeScope)
    return (ranking.localEntry, ranking.entries, ranking.total)
  }

  /// Loads the entries of some players, ranked among each other. Those who have none are left out.
  ///
  /// - Parameters:
  ///   - players: at most 500 players.
  ///   - timeScope: does not count for a board that starts anew.
  ///   - completionHandler: gets the local player's own entry, with the rank that it has or would
  ///     have among these players, and the entries.
  public func loadEntries(
    for players: [GKPlayer], timeScope: TimeScope,
    completionHandler: @escaping @MainActor (Entry?, [Entry]?, (any Error)?) -> Void
  ) {
    let query = RankingQuery(baseLeaderboardID, among: players)
    Task {
      do throws(GKError) {
        let ranking = try await load(query, timeScope)
        completionHandler(ranking.localEntry, ranking.entries, nil)
      } catch {
        completionHandler(nil, nil, error)
      }
    }
  }

  public func loadEntries(for players: [GKPlayer], timeScope: TimeScope)
    async throws -> (Entry?, [Entry])
  {
    let ranking = try await load(RankingQuery(baseLeaderboardID, among: players), timeScope)
    return (ranking.localEntry, ranking.entries)
  }

  /// Asks the server, unless the question is wrong whatever it knows.
  func load(_ query: RankingQuery, _ timeScope: TimeScope) async throws(GKError) -> Ranking {
    let client = try GameKit.signedInClient()
    if let fault = query.fault { throw GKError(fault) }
    let board = try await described(query.board, client)
    var query = query
    query.period = period(timeScope, board)
    let page = try await query.page(client)
    let players = page.entries + [page.localEntry].compactMap { $0 }
    let profiles = try await client.profiles(of: players.map(\.player))
    return Ranking(board: board, page: page, profiles: profiles)
  }

  /// An occurrence is asked for by how many have begun since, which is not known before the server
  /// has said which one is open.
  private func period(_ timeScope: TimeScope, _ board: LoadedBoard) -> ScorePeriod {
    var period = ScorePeriod()
    if board.definition.recurrence == nil { period.timeScope = timeScope.term }
    if let occurrence, let current = board.current {
      period.occurrencesBack = UInt32(clamping: current.number - occurrence.number)
    }
    return period
  }
}
