internal import MusterKit

extension GKLeaderboard {
  /// Loads the last occurrence before this one in which the local player has an entry. Where there
  /// is none, it is the one right before this one.
  ///
  /// - Parameter completionHandler: gets nil without an error on a classic board, and where no
  ///   earlier occurrence is kept.
  public func loadPreviousOccurrence(
    completionHandler: @escaping @MainActor (GKLeaderboard?, (any Error)?) -> Void
  ) {
    Task {
      do throws(GKError) {
        completionHandler(try await previous(), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  public func loadPreviousOccurrence() async throws -> GKLeaderboard? { try await previous() }

  private func previous() async throws(GKError) -> GKLeaderboard? {
    let client = try GameKit.signedInClient()
    let board = try await described(baseLeaderboardID, client)
    guard let current = board.current else { return nil }
    let earlier = board.readable(before: (occurrence ?? current).number)
    for occurrence in earlier {
      var operation = RankOfPlayer()
      operation.board = board.definition.board
      operation.period.occurrencesBack = UInt32(clamping: current.number - occurrence.number)
      if try await client.call(operation).entry != nil {
        return GKLeaderboard(board, occurrence)
      }
    }
    return earlier.first.map { GKLeaderboard(board, $0) }
  }
}
