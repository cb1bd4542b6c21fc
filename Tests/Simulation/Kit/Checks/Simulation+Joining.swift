import Operations
import Wire

extension Simulation {
  /// Nobody is stranded in a match that was found: whoever has joined plays, or was told that it is
  /// over, and waits again.
  func checkJoining(_ tickets: TicketModels, _ ends: TicketEnds) throws(Violation) {
    let log = deployment.matchLog
    for client in workload.clients {
      for match in client.openMatches where log.found.contexts.contains(match.context) {
        try require(
          match.hasBegun,
          "3.2 \(client.player) is stranded in \(match.name), which does not begin")
      }
    }
    for (match, player) in log.found.endedEarly where !log.found.begun.contains(match) {
      try require(
        ends.joining[match.context]?[player]?.outcome == .tooFew,
        "3.2 \(match) ended for \(player), who was not told why")
    }
    for context in ends.joining.keys.sorted() {
      for (player, event) in ends.joining[context] ?? [:] {
        try check(event, told: player, tickets, ends)
      }
    }
    happenings.take(log.found, ends)
  }

  private func check(
    _ event: JoiningEnded, told player: PlayerID, _ tickets: TicketModels, _ ends: TicketEnds
  ) throws(Violation) {
    guard let found = ends.found[event.context]?[player]?.first,
      Set(event.absent).isSubset(of: found.players), !event.absent.isEmpty
    else { return try require(false, "3.2 \(player) never looked for \(event)") }
    let all = ends.found[event.context] ?? [:]
    let own = Set(all.values.map { $0[0].ticket }).compactMap { tickets.all[$0] }
    let count = found.players.count - event.absent.count
    let foundAt = tickets.foundAt[event.context] ?? .max
    guard event.outcome == .tooFew else {
      return try require(
        count >= max(2, own.map { $0.least(at: foundAt) }.max() ?? 2) && event.ticket == nil,
        "3.2 a match of \(own) begins by \(event)")
    }
    // Those who came by invitations alone have asked for as many as they were.
    try require(
      own.isEmpty || count < own.map { Int($0.criteria.minPlayers) }.max() ?? 0,
      "3.2 a match of \(own) is over by \(event)")
    let again = event.ticket.flatMap { tickets.all[$0] }
    let hasTicket = tickets.all[found.ticket] != nil && !event.absent.contains(player)
    try require(
      (event.ticket != nil) == hasTicket && (again != nil) == hasTicket
        && again.map { $0.players.contains(player) || $0.refused.contains(player) } ?? true,
      "3.2 \(player) waits again by no ticket, or by one of others: \(event)")
  }
}
