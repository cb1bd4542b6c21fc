import Domain
import Operations
import Wire

// Not all players of a match that was found join it.

extension ContextDepartures {
  func endJoining(
    _ operation: EndJoining, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let id = ContextID(reinterpreting: call.key)
    guard let found = matches.found[id], let row = contexts[id],
      let match = matches.table[id], !match.isEnded, !match.hasBegun, !turns.isUnderWay(in: id)
    else { return }
    let joined = match.seats.filter { $0.state == .joined }.map(\.player)
    try end(found, row, joined, &transaction)
  }

  /// Ends a found match at once, with which the player leaves the context, when those who remain
  /// are too few for it. Nothing happens to one that nobody waits for.
  func endsJoining(
    _ player: PlayerID, of row: ContextRow, _ transaction: inout Transaction
  ) throws(Stop) -> Bool {
    guard let found = matches.found[row.key] else { return false }
    let remaining = row.present.map(\.player).filter { $0 != player }
    let isAwaited = matches.table[row.key].map { !$0.isEnded && $0.joinedCount > 0 } ?? false
    guard isAwaited || transaction.now < found.foundAt + matches.joinMilliseconds,
      found.outcome(joinedCount: remaining.count) == .tooFew, !turns.isUnderWay(in: row.key)
    else { return false }
    try end(found, row, remaining, &transaction)
    return true
  }

  /// - Parameter joined: those who were there.
  private func end(
    _ found: FoundMatchRow, _ row: ContextRow, _ joined: [PlayerID],
    _ transaction: inout Transaction
  ) throws(Stop) {
    var row = row
    let present = row.present.map(\.player)
    var event = JoiningEnded()
    event.context = row.key
    event.absent = found.players.filter { !joined.contains($0) }
    event.outcome = found.outcome(joinedCount: joined.count)
    guard event.outcome == .tooFew else {
      try takeOut(present.filter { !joined.contains($0) }, of: &row, &transaction)
      for player in present { tell(event, to: player, row, &transaction) }
      return
    }
    matches.end(matchOf: row.key, &transaction)
    try takeOut(present, of: &row, as: nil, &transaction)
    var tickets: [PlayerID: PlaceTicket] = [:]
    for var ticket in found.returning(joined, now: transaction.now) {
      ticket.ticket = transaction.identifier()
      for player in ticket.players { tickets[player] = ticket }
      transaction.effect(ticket, on: ticket.queue, game: row.game)
    }
    for player in present {
      event.ticket = tickets[player]?.ticket
      event.playerGroup = tickets[player]?.playerGroup ?? ""
      tell(event, to: player, row, &transaction)
    }
  }

  /// No player has done this to another.
  private func tell(
    _ event: JoiningEnded, to player: PlayerID, _ row: ContextRow,
    _ transaction: inout Transaction
  ) {
    contexts.tell(event, to: player, from: PlayerID(), row, &transaction)
  }
}
