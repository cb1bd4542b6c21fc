import Domain
import Operations
import Wire

extension Matches {
  func addMatchPlayers(
    _ operation: AddMatchPlayers, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard !operation.context.isNil else {
      throw .requiredArgument("context", "A context must be named.")
    }
    guard !operation.players.isEmpty else {
      throw .requiredArgument("players", "A player must be named.")
    }
    guard operation.players.count <= ContextLimits.matchPlayersMax,
      Set(operation.players).count == operation.players.count
    else {
      throw .invalidArgument(
        "players",
        "At most \(ContextLimits.matchPlayersMax) players are named, and each of them once.")
    }
    let context = try contexts.participant(operation.context, call)
    guard let match = table[context.key], let seat = match.seat(of: call.player),
      seat.state == .joined
    else { throw .refuse(.notAllowed, "You are not in a match of this context.") }
    guard !match.isEnded, operation.number == 0 || operation.number == match.number else {
      throw .refuse(.matchEnded, "The match is over.")
    }
    // Whoever has a seat keeps it, and does not come to the caller by this call.
    let added = operation.players.filter { player in
      match.seat(of: player).map { $0.state == .left } ?? true
    }
    guard operation.players.allSatisfy(context.holds),
      try meeting(added, in: context, call) == added
    else {
      throw .refuse(
        .notReachable, argument: "players", "Only players of the context can play in its match.")
    }
    guard room(in: match) >= operation.players.count(where: { match.place(of: $0) == nil }) else {
      throw .limitReached(
        "players", "A match has at most \(ContextLimits.matchPlayersMax) players.")
    }
    // From here on nothing is refused.
    addSeats(operation.players, to: context.key, number: match.number, &transaction)
  }

  /// Seats that may be added to a match.
  private func room(in match: MatchRow) -> Int {
    ContextLimits.matchPlayersMax - match.seats.count { !$0.player.isNil }
  }

  /// The number of the running match of a context to which matchmaking may add players, when the
  /// player has a seat in it; 0 for none. A found match gets others once it has begun: it may still
  /// be over, with those who were found waiting again.
  func openMatch(in context: ContextRow, of player: PlayerID) -> UInt64 {
    guard context.form == .matched, found[context.key] == nil,
      let match = table[context.key], !match.isEnded,
      let seat = match.seat(of: player), seat.state != .left, room(in: match) > 0
    else { return 0 }
    return match.number
  }

  /// Whether `addSeats` has a seat for all of the players in match `number`, which runs, and nobody
  /// has a seat in it who is not among `present`, or is among the players.
  func hasSeats(
    for players: [PlayerID], besides present: [PlayerID], in context: ContextID, number: UInt64
  ) -> Bool {
    guard found[context] == nil, let match = table[context], !match.isEnded,
      match.number == number
    else { return false }
    let seated = match.seats.filter { $0.state != .left && !$0.player.isNil }.map(\.player)
    let added = players.count { match.place(of: $0) == nil }
    return room(in: match) >= added
      && seated.allSatisfy { present.contains($0) && !players.contains($0) }
  }

  /// Has more players of a context take part in its running match. They are expected until they
  /// join, also those who have left it. Those who play are not touched, nobody is added beyond the
  /// most players of a match, and nothing happens when match `number` is not the running one.
  func addSeats(
    _ players: [PlayerID], to context: ContextID, number: UInt64,
    _ transaction: inout Transaction
  ) {
    guard var match = table[context], !match.isEnded, match.number == number else { return }
    if live[context] == nil { revive(match, &transaction) }
    var places: [Int] = []
    for player in players where !player.isNil {
      if let place = match.place(of: player) {
        guard match.seats[place].state == .left else { continue }
        // Whoever was there before comes back as another client.
        match.seats[place].state = .absent
        match.seats[place].client = 0
        places.append(place)
      } else if let vacancy = match.vacancy {
        match.seats[vacancy].player = player
        live[context]?.seats[vacancy] = LiveSeat(player: player)
        places.append(vacancy)
      } else if room(in: match) > 0 {
        var seat = RosterSeat()
        seat.player = player
        places.append(match.seats.count)
        match.seats.append(seat)
        live[context]?.seats.append(LiveSeat(player: player))
      }
    }
    if places.isEmpty { return }
    table.put(match, &transaction)
    for place in places { announce(match, place, .absent, &transaction) }
    tellExpected(of: match, places.map { match.seats[$0].player }, &transaction)
  }

  /// Tells those of the players who have not joined that the match expects them.
  func tellExpected(
    of match: MatchRow, _ players: [PlayerID], _ transaction: inout Transaction
  ) {
    guard let game = contexts[match.key]?.game else { return }
    var event = MatchExpected()
    event.context = match.key
    event.number = match.number
    for player in players where match.seat(of: player)?.state == .absent {
      transaction.hint(event, to: player, game: game)
    }
  }
}
