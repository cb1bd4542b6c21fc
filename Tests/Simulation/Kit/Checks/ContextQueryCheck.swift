import Operations
import Wire

/// A query of a context's players, and what its client was told.
struct ContextQuery {
  var query: TopScores
  var player: PlayerID
  /// From when the client asked until it was told, in the simulation's milliseconds.
  var span: ClosedRange<Int64>
  var result: Result<ScorePage, Failure>
}

/// Compares the answers to queries of contexts' players with every state that their boards and
/// contexts had while the queries were under way.
struct ContextQueryCheck {
  /// By board: the queries that no state explains yet.
  private var open: [String: [ContextQuery]] = [:]
  /// By board: since when it is in the state that is compared next.
  private var since: [String: Int64] = [:]

  init(_ queries: [ContextQuery]) {
    for query in queries { open[query.query.board, default: []].append(query) }
  }

  /// Drops the queries whose answers are right for the state that a board had until some time.
  mutating func compare(_ board: BoardModel, _ contexts: ContextModels, until end: Int64) {
    let name = board.definition.board
    let start = since.updateValue(end, forKey: name) ?? .min
    open[name]?.removeAll { query in
      guard query.span.lowerBound <= end, start <= query.span.upperBound,
        case .success(let page) = query.result, let context = query.query.context
      else { return false }
      // Time alone changes none of these rankings, which are of all time and do not recur.
      return contexts.players(of: context, during: query.span).contains { players in
        players.contains(query.player)
          && page
            == board.answer(query.query, as: query.player, participants: players, at: 0)
      }
    }
  }

  /// Throws when an answer was right at no moment of its call.
  func checkDone(_ model: LeaderboardModel) throws(Violation) {
    for query in open.values.joined() where !isRightlyRefused(query, model) {
      let context = query.query.context ?? ContextID()
      throw Violation(
        description: "\(query.player) got \(query.result) to \(query.query), when the context had "
          + "\(model.contexts.players(of: context, during: query.span))")
    }
  }

  private func isRightlyRefused(_ query: ContextQuery, _ model: LeaderboardModel) -> Bool {
    guard case .failure(let failure) = query.result, let context = query.query.context else {
      return false
    }
    let board = query.query.board
    switch (failure.code, failure.argument) {
    case (.notFound, "context"):
      return model.contexts.players(of: context, during: query.span)
        .contains { !$0.contains(query.player) }
    case (.invalidArgument, "context"):
      return model.boards[board]?.definition.linkedContext.map { $0 != context } ?? false
    case (.notFound, "board"): return model.mayLack(board, at: query.span.lowerBound)
    // Trouble on the way, or a session that ended.
    case (.sessionExpired, _), (.notAuthenticated, _), (.cancelled, _): return true
    default: return failure.code.isTransient
    }
  }
}
