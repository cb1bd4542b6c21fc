import Operations
import Wire

// Happenings of gatherings.
extension Happenings {
  mutating func take(_ groups: GroupModels) {
    let groups = groups.all.values.filter { $0.form == .group }
    set(.groupsFull, groups.count { $0.order.count == $0.sizeMax })
    set(.groupsReopened, groups.reduce(0) { $0 + Int($1.generation) - 1 })
    set(.groupPlayersRemoved, groups.reduce(0) { $0 + $1.removed.count })
  }

  mutating func take(_ games: TurnModels) {
    let games = Array(games.all.values)
    set(.turnGames, games.count)
    set(.turnMoves, games.reduce(0) { $0 + $1.moves.count })
    set(.turnMovesSealed, games.reduce(0) { $0 + $1.sealed.count })
    set(.turnGamesEnded, games.count { $0.endedAt != nil })
    set(.turnGamesForked, games.count { $0.forkedAt != nil })
    set(.turnMovesUndone, games.reduce(0) { $0 + $1.undone })
    set(.turnMovesForeseen, games.reduce(0) { $0 + $1.foreseen })
  }

  mutating func take(_ tickets: TicketModels, _ ends: TicketEnds) {
    let tickets = tickets.all.values.filter { !$0.players.isEmpty }
    let states = tickets.map { ends.state(of: $0, for: $0.players[0]).state }
    set(.ticketsMatched, states.count { $0 == .matched })
    set(.ticketsExpired, states.count { $0 == .expired })
    set(.ticketsCancelled, states.count { $0 == .cancelled })
    set(
      .ticketsCancelledTooLate,
      tickets.reduce(0) { $0 + $1.cancelled.count { $0.state != .cancelled } })
    set(.ticketsOfParties, tickets.count { $0.players.count > 1 })
    set(.matchesFilled, ends.filled.count)
    set(.matchesOfManyFound, ends.found.values.count { $0.count > 2 })
  }

  mutating func take(_ found: FoundMatchLog, _ ends: TicketEnds) {
    let outcomes = ends.joining.values.compactMap { $0.values.first?.outcome }
    set(.foundMatchesBegun, found.begun.count)
    set(.foundMatchesBegunWithoutAll, outcomes.count { $0 == .begins })
    set(.foundMatchesOver, outcomes.count { $0 == .tooFew })
  }

  /// What the ledger tells.
  mutating func take(_ ledger: Ledger, _ secrets: SecretLog) {
    set(.groupPlayersLeft, ledger.done.count { $0.opcode == LeaveContext.opcode })
    set(.groupRequestsAnswered, ledger.done.count { $0.opcode == AnswerContextRequest.opcode })
    set(.turnSpectators, ledger.done.count { $0.opcode == SpectateTurnGame.opcode })
    set(.turnExchangesAnswered, ledger.done.count { $0.opcode == AnswerTurnExchange.opcode })
    set(
      .turnMovesRefused,
      ledger.refusals.count {
        $0.asked.opcode == MakeMove.opcode && $0.failure.code == .conflict
      })
    set(.turnSecretsRevealed, secrets.all.count { $0.isSealed && $0.toldAt != nil })
  }
}
