import Domain
import Operations
import Wire

/// Boards and gaming contexts, which another service keeps: who is in a context is a fact that
/// comes with the call. No operation declares it, because only the board knows that it is linked to
/// a context.
extension Boards {
  /// The board that a call names, when the caller may submit to it and see it.
  func openBoard(_ name: String, _ call: Call) throws(Stop) -> Board {
    let board = try board(name, call)
    if let context = board.definition.linkedContext, call.principal.kind == .player {
      _ = try participants(of: context, call)
    }
    return board
  }

  /// Returns the players of a context, the scope of a query.
  func participants(in context: ContextID, _ board: Board, _ call: Call) throws(Stop)
    -> [PlayerID]
  {
    guard call.principal.kind == .player else {
      throw .notAllowed("scope", "Only players are in contexts.")
    }
    if let linked = board.definition.linkedContext, linked != context {
      throw .invalidArgument("context", "The board is linked to another context.")
    }
    let players = try participants(of: context, call)
    guard players.count <= LeaderboardLimits.scopePlayerCountMax else {
      throw .limitReached(
        "context", "A scope has at most \(LeaderboardLimits.scopePlayerCountMax) players.")
    }
    return players
  }

  private func participants(of context: ContextID, _ call: Call) throws(Stop) -> [PlayerID] {
    let players = try call.fact(FetchParticipants.self, at: context).players
    // The context service has looked already; here it is a rule of the board.
    guard players.contains(call.player) else {
      throw .notFound("context", "You are in no context with this id.")
    }
    return players
  }
}
