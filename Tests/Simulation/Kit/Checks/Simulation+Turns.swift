import Operations
import Wire

extension Simulation {
  /// Every move that was made is in its game's history once, in its place; no other is. Games wait
  /// for a player who is in them, or have ended.
  func checkTurns() throws(Violation) {
    let games = try TurnModels(deployment.ledger.steps)
    let groups = try GroupModels(deployment.ledger.steps)
    for key in games.all.keys.sorted() {
      guard let game = games.all[key] else { continue }
      try checkSealed(game)
      let isLast = games.last[key.context] == key.number
      let readers = game.players.filter { groups.holds($0, in: key.context) }
      for reader in readers { try check(game, isLast: isLast, as: reader, groups) }
    }
    happenings.take(games)
  }

  private func check(
    _ game: TurnModel, isLast: Bool, as reader: PlayerID, _ groups: GroupModels
  ) throws(Violation) {
    var read = ReadTurnGame()
    (read.context, read.number) = (game.context, game.number)
    let key = RoutingKey(reinterpreting: game.context)
    guard case .success(let view) = try inspect(read, as: reader, key: key) else {
      // Only the last few are kept, and none of a group that was closed since.
      return try require(
        !isLast || game.players.allSatisfy { game.leavers[$0] != nil },
        "1.9 \(reader) cannot read game \(game.number) of \(game.context)")
    }
    try require(
      view.info.seats.map(\.player) == game.players,
      "1.11 the seats of \(game.name) are \(view.info.seats), of the players \(game.players)")
    guard let seat = view.info.seats.first(where: { $0.player == reader }),
      seat.state != .declined
    else {
      return try require(
        game.leavers[reader] != nil, "1.9 \(reader) has lost its seat in \(view.info)")
    }
    try require(
      view.state?.array == game.state,
      "1.9 the state of \(game.name) is not that of its moves: \(view.info)")
    try require(
      view.hidden?.array == game.hidden[reader],
      "1.11 \(reader) has not what it hides in \(game.name): \(view.info)")
    try checkMoves(game, view.info, as: reader)
    if isLast && view.info.phase != .ended { try checkTurn(view.info, game, groups) }
    try checkWaiting(view.info, reader)
  }

  private func checkMoves(
    _ game: TurnModel, _ info: TurnGameInfo, as reader: PlayerID
  ) throws(Violation) {
    var moves: [TurnMove] = []
    var read = ReadMoves()
    (read.context, read.number) = (game.context, game.number)
    while moves.count < info.moveCount {
      read.from = UInt32(moves.count + 1)
      let page = try reply(read, as: reader, key: RoutingKey(reinterpreting: game.context))
      if page.moves.isEmpty { break }
      moves += page.moves
    }
    let place = game.name
    try require(
      moves.map(\.index) == (0..<info.moveCount).map { $0 + 1 },
      "1.9 \(place) has moves \(moves.map(\.index)) of \(info.moveCount)")
    guard game.options.hasSealedRounds else {
      return try require(
        moves.map(\.payload.array) == game.moves.map(\.payload)
          && moves.map(\.player) == game.moves.map(\.player)
          && moves.map(\.version) == game.moves.map(\.version),
        "1.9 the moves of \(place) are \(moves), and were \(game.moves)")
    }
    let due =
      game.copied + game.sealed.filter { info.phase == .ended || $0.round < info.round }
    try require(
      Set(moves.map(\.payload.array)) == Set(due.map(\.payload)) && moves.count == due.count,
      "1.11 the moves of \(place) are \(moves), and were \(due), in round \(info.round)")
    try require(
      zip(moves, moves.dropFirst()).allSatisfy { $0.round <= $1.round },
      "1.11 the rounds of \(place) are mixed")
    // Whoever is out of the game took its open move along.
    for move in game.sealed where info.phase == .active && move.round == info.round {
      let seat = info.seats.first { $0.player == move.player }
      try require(
        seat?.state != .active || seat?.hasMoved == true,
        "1.11 a sealed move of \(move.player) in \(place) is lost")
    }
  }

  /// The game waits for somebody who plays and is in the context.
  private func checkTurn(
    _ info: TurnGameInfo, _ game: TurnModel, _ groups: GroupModels
  ) throws(Violation) {
    try require(info.phase != .preparing, "1.11 \(game.name) does not begin")
    let playing = info.seats.filter { $0.state == .active || $0.state == .invited }
    try require(playing.count >= 2, "1.8 \(info) goes on with \(playing.count) players")
    for seat in playing {
      try require(
        groups.holds(seat.player, in: info.context) && game.leavers[seat.player] == nil
          || groups.all[info.context] == nil,
        "1.8 \(seat.player) has left, and plays in \(info)")
    }
    let awaited =
      info.options.hasSealedRounds
      ? playing.first { !$0.hasMoved }?.player : info.next.first
    try require(
      playing.contains { $0.player == awaited }, "1.8 \(info) waits for nobody who plays")
  }

  private func checkWaiting(_ info: TurnGameInfo, _ reader: PlayerID) throws(Violation) {
    var list = ListTurnGames()
    (list.filter, list.limit) = (.all, 100)
    let own = try reply(list, as: reader).games.filter {
      $0.context == info.context && $0.number == info.number
    }
    let seat = info.seats.first { $0.player == reader }
    let isPlaying = seat?.state == .active || seat?.state == .invited
    guard info.phase == .active, isPlaying else {
      return try require(own.isEmpty, "1.9 \(reader) lists \(info), which is over for it")
    }
    let isAwaited =
      info.options.hasSealedRounds ? seat?.hasMoved == false : info.next.first == reader
    try require(
      own.count == 1 && (!isAwaited || own.first?.isWaiting == true),
      "1.9 \(reader) lists \(own) of \(info)")
  }

  /// Nobody was told of a sealed move before its round was revealed: when all who play had sealed
  /// theirs, or the time was up.
  private func checkSealed(_ game: TurnModel) throws(Violation) {
    for move in game.sealed {
      guard let told = deployment.secrets.secret(in: move.payload)?.toldAt else { continue }
      if let ended = game.endedAt, ended <= told { continue }
      let left = game.players.filter { player in
        !(game.leavers[player].map { $0 <= told } ?? false)
      }
      // A game of one is over, and what was sealed is told with its end.
      if left.count < 2 { continue }
      let others = left.filter { player in
        !game.sealed.contains {
          $0.round == move.round && $0.player == player && $0.span.upperBound <= told
        }
      }
      if others.isEmpty { continue }
      let before = game.sealed.filter { $0.round + 1 == move.round }.map(\.span.lowerBound)
      let began = before.min() ?? game.span.lowerBound
      let clock =
        game.options.playerClockMilliseconds > 0
        ? game.options.playerClockMilliseconds : game.options.turnTimeoutMilliseconds
      let timeout = min(game.options.turnTimeoutMilliseconds, clock)
      let isTimeUp =
        told >= game.span.lowerBound
        && (told >= began + timeout
          || game.options.playerClockMilliseconds > 0 && told >= game.span.lowerBound + clock)
      try require(
        isTimeUp || deployment.matchLog.hasClockChanged(from: game.span.lowerBound, through: told),
        "1.11 a sealed move of \(move.player) in round \(move.round) of game \(game.number) in "
          + "\(game.context) was told before \(others) had moved")
    }
  }
}
