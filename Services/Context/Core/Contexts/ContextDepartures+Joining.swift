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
      let match = matches.table[id], !match.isEnded, !match.hasBegun
    else { return }
    let joined = match.seats.filter { $0.state == .joined }.map(\.player)
    try end(found, row, back: joined, joined: joined, &transaction)
  }

  /// Ends a found match at once, with which the player leaves the context, when those who remain
  /// are too few for it. Nothing happens to one that nobody waits for. Returns whether the player
  /// is out of the context with that.
  func endsJoining(
    _ player: PlayerID, of row: ContextRow, _ transaction: inout Transaction
  ) throws(Stop) -> Bool {
    guard let found = matches.found[row.key] else { return false }
    let match = matches.table[row.key]
    let players = match.map { $0.isEnded ? [] : $0.seats.filter { $0.state == .joined } } ?? []
    let remaining = row.present.map(\.player).filter { $0 != player }
    let joined = remaining.filter { other in players.contains { $0.player == other } }
    let isEarly = transaction.now < found.foundAt + matches.joinMilliseconds
    guard isEarly || !players.isEmpty, found.outcome(joinedCount: remaining.count) == .tooFew
    else { return false }
    // Who came and left the seat does not want the match.
    let back = remaining.filter { other in
      joined.contains(other)
        || (match?.seat(of: other)?.client ?? 0) == 0
          && found.mayCome(other, within: matches.joinMilliseconds, now: transaction.now)
    }
    try end(found, row, back: back, joined: joined, &transaction)
    return !turns.isUnderWay(in: row.key)
  }

  /// While a turn-based game is played in the context nobody is taken out of it: what was found
  /// concerns the match alone then.
  ///
  /// - Parameters:
  ///   - back: those who were there, and wait again if the match is over.
  ///   - joined: those of them who have joined the match.
  private func end(
    _ found: FoundMatchRow, _ row: ContextRow, back: [PlayerID], joined: [PlayerID],
    _ transaction: inout Transaction
  ) throws(Stop) {
    var row = row
    let present = row.present.map(\.player)
    let isPlayed = turns.isUnderWay(in: row.key)
    var event = JoiningEnded()
    event.context = row.key
    event.absent = found.players.filter { !back.contains($0) }
    event.outcome = found.outcome(joinedCount: back.count)
    guard event.outcome == .tooFew else {
      let absent = present.filter { !joined.contains($0) }
      if isPlayed {
        leaveMatch(of: row.key, absent, &transaction)
      } else {
        try takeOut(absent, of: &row, &transaction)
      }
      for player in present { tell(event, to: player, row, &transaction) }
      return
    }
    if isPlayed {
      matches.forgetFound(row.key, &transaction)
    } else {
      try takeOut(present, of: &row, as: nil, keepsMatch: true, &transaction)
    }
    matches.end(matchOf: row.key, &transaction)
    let tickets = waitAgain(found, back, joined, row, &transaction)
    for player in present {
      event.ticket = tickets[player]?.ticket
      event.playerGroup = tickets[player]?.playerGroup ?? ""
      tell(event, to: player, row, &transaction)
    }
  }

  func leaveMatch(
    of context: ContextID, _ players: [PlayerID], _ transaction: inout Transaction
  ) {
    var begins = false
    for player in players
    where matches.leave(matchOf: context, player, isForGood: true, &transaction) {
      begins = true
    }
    if begins { contexts.played(in: context, &transaction) }
  }

  private func waitAgain(
    _ found: FoundMatchRow, _ players: [PlayerID], _ joined: [PlayerID], _ row: ContextRow,
    _ transaction: inout Transaction
  ) -> [PlayerID: PlaceTicket] {
    var tickets: [PlayerID: PlaceTicket] = [:]
    let placeUntil = found.foundAt + 2 * matches.joinMilliseconds
    for var ticket in found.returning(
      players, joined: joined, placeUntil: placeUntil, now: transaction.now)
    {
      ticket.ticket = transaction.identifier()
      for player in ticket.players { tickets[player] = ticket }
      transaction.effect(ticket, on: ticket.queue, game: row.game)
    }
    return tickets
  }

  /// No player has done this to another.
  private func tell(
    _ event: JoiningEnded, to player: PlayerID, _ row: ContextRow,
    _ transaction: inout Transaction
  ) {
    contexts.tell(event, to: player, from: PlayerID(), row, &transaction)
  }
}
