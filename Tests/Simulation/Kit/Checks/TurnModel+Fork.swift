import Operations
import Wire

extension TurnModel {
  /// A copy of a game as it was after a move, with nobody's hidden state.
  init(
    forking source: TurnModel, _ fork: ForkTurnGame, to context: ContextID,
    _ span: ClosedRange<Int64>
  ) {
    let move = Int(fork.move)
    let last = min(source.options.hasSealedRounds ? 0 : move, source.positions.count - 1)
    (self.context, number, self.span) = (context, 1, span)
    (options, players, forkedAt) = (source.options, fork.players, fork.move)
    copied = Array((source.copied + source.sealed).sorted { $0.round < $1.round }.prefix(move))
    moves = Array(source.moves.prefix(move))
    positions = Array(source.positions.prefix(last + 1))
    positions[last].hidden = [:]
    (state, version) = (positions[last].state, positions[last].version)
  }

  var name: String {
    "game \(number) of \(context)" + (forkedAt.map { ", forked after move \($0)," } ?? "")
  }
}
