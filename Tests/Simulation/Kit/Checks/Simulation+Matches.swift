import MusterKit
import Operations
import Wire

extension Simulation {
  /// Everybody agrees on who plays what, and all reliable data has come.
  func checkMatches() throws(Violation) {
    for client in workload.clients {
      for match in client.openMatches { try checkRoster(match, of: client) }
      for hint in client.hints where hint.kind == MatchExpected.opcode.rawValue {
        let event = try? MatchExpected(decoding: hint.body.array)
        try require(
          event.map { deployment.matchLog.seats[$0.context] != nil } ?? false,
          "3.6 \(client.player) is expected in a match that nobody began")
      }
    }
    try checkAdded()
    try checkData()
  }

  /// Whoever was added to a match that runs has a seat in it.
  private func checkAdded() throws(Violation) {
    for refused in deployment.matchLog.added.refused {
      try require(
        !workload.clients.contains { client in
          client.openMatches.contains { $0.name == refused.match }
        },
        "3.6 \(refused.player) was added to \(refused.match), and is refused: \(refused.error)")
    }
  }

  private func checkRoster(_ match: SimulatedMatch, of client: SimulatedClient) throws(Violation) {
    let exchange = match.seat.exchange
    let others = workload.clients.filter { $0 !== client }
    let playing = others.filter { other in
      other.openMatches.contains { $0.context == match.context }
    }
    for other in playing {
      guard let there = other.matches[match.context] else { continue }
      try require(
        there.name == match.name,
        "3.4 \(client.player) plays \(match.name), \(other.player) \(there.name)")
      try require(
        exchange.state(of: other.player) == .connected,
        "3.4 \(client.player) sees \(other.player) as \(exchange.state(of: other.player)) "
          + "in \(match.name)")
    }
    try require(
      Set(exchange.players) == Set(playing.map(\.player)),
      "3.4 \(client.player) sees \(exchange.players) in \(match.name), where "
        + "\(playing.map(\.player)) play: "
        + "\(others.compactMap { $0.matches[match.context]?.state })")
    try require(
      !match.hasBegun || !playing.isEmpty, "3.4 \(client.player) is alone in \(match.name)")
    if playing.count > 1 { deployment.matchLog.count(.matchesOfMany) }
    if playing.count > 6 { deployment.matchLog.count(.matchesOfEight) }
    if contexts.all[match.context] == nil {
      // In a group, not all who are expected come.
      try require(
        playing.allSatisfy {
          $0.matches[match.context]?.seat.exchange.expectedPlayerCount
            == exchange.expectedPlayerCount
        }, "3.3 the players of \(match.name) expect different numbers of others")
      guard match.hasBegun else { return }
      let playing = Set(playing.map(\.player))
      let coming = (deployment.matchLog.added.given[match.name] ?? []).subtracting(playing)
      return try require(
        exchange.expectedPlayerCount <= coming.count,
        "3.3 \(client.player) expects \(exchange.expectedPlayerCount) others in \(match.name), "
          + "which has begun, of \(coming)")
    }
    try require(
      exchange.expectedPlayerCount == (playing.isEmpty ? 1 : 0),
      "3.3 \(client.player) expects \(exchange.expectedPlayerCount) players in \(match.name)")
  }

  /// What a client got begins no later than where the client before it stopped, and where both ends
  /// play on, nothing is missing.
  private func checkData() throws(Violation) {
    let log = deployment.matchLog
    for (line, sizes) in log.sizes where line.isReliable {
      let seats = log.seats[line.match.context]?[line.receiver] ?? []
      var through = 0
      for seat in seats {
        guard let run = log.runs[line]?[seat] else { continue }
        try require(
          run.first <= through || isHalfKnown(sizes, through, run.first)
            || log.isLost(run.first - 1, of: line, withSeat: seat),
          "3.9 messages \(through) to \(run.first - 1) of \(line) came to nobody")
        through = max(through, run.next)
      }
      guard isPlaying(line.sender, line.senderSeat, line.match), let newest = seats.last,
        isPlaying(line.receiver, newest, line.match)
      else { continue }
      try require(
        through == sizes.count || isHalfKnown(sizes, through, sizes.count)
          || log.isLost(sizes.count - 1, of: line, withSeat: newest),
        "3.7 \(through) of \(sizes.count) messages of \(line) have come")
    }
  }

  /// A message in pieces may be lost whose beginning only a client got that has died since.
  private func isHalfKnown(_ sizes: [Int], _ through: Int, _ first: Int) -> Bool {
    first == through + 1 && sizes[through] > SimulatedMatch.pieceSizeMax
  }

  private func isPlaying(_ player: PlayerID, _ seat: UInt64, _ match: MatchName) -> Bool {
    workload.clients.contains { client in
      client.player == player
        && client.openMatches.contains { $0.seat.exchange.seat == seat && $0.name == match }
    }
  }
}
