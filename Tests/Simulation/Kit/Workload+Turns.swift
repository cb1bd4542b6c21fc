import Operations
import Wire

/// Turn-based games in groups and in contexts of queues. Each move has a number of its own, in its
/// payload and in the state after it; what is hidden or sealed has a mark that nothing else has.
extension Workload {
  func turn(_ client: SimulatedClient) {
    let places = places(of: client.player)
    guard let context = schedule.pick(places), !schedule.isChance(oneIn: 25) else {
      return group(client)
    }
    if schedule.isChance(oneIn: 5) { return readMoves(context, client) }
    look(context, client)
  }

  private func look(_ context: ContextID, _ client: SimulatedClient) {
    var read = ReadTurnGame()
    read.context = context
    client.call(read) { [self] result in
      switch result {
      case .success(let view): play(view, client)
      case .failure(let failure) where failure.argument == "number": startGame(context, client)
      case .failure: break
      }
    }
  }

  /// What others have moved; of sealed moves those that are revealed.
  private func readMoves(_ context: ContextID, _ client: SimulatedClient) {
    var read = ReadMoves()
    read.context = context
    client.call(read)
    // The words of an exchange too, which are not for everybody.
    var words = ReadTurnExchange()
    (words.context, words.exchange) = (context, UInt32(number(1...3)))
    client.call(words)
  }

  private func play(_ view: TurnGameView, _ client: SimulatedClient) {
    let info = view.info
    if info.moveCount > 0, schedule.isChance(oneIn: 12) { return fork(info, client) }
    if info.phase == .ended { return startGame(info.context, client) }
    guard let seat = info.seats.first(where: { $0.player == client.player }) else {
      return spectate(info, client)
    }
    if seat.state == .invited, !schedule.isChance(oneIn: 4) { return answer(info, client) }
    if seat.state != .active { return }
    if let proposal = info.proposal, !schedule.isChance(oneIn: 4) {
      if !proposal.agreed.contains(client.player) { agree(to: proposal, info, client) }
      return
    }
    switch number(0...39) {
    case 0: quit(info, client)
    case 1: endGame(view, client)
    case 2: save(view, client)
    case 3..<8: proposeUndo(info, client)
    case 8..<12: exchange(info, client)
    case 12..<28
    where info.seats.count == 2 && !info.options.hasSealedRounds
      && info.next.first != client.player:
      foresee(info, client)
    default:
      if info.options.hasSealedRounds {
        if !seat.hasMoved || schedule.isChance(oneIn: 8) { seal(info, client) }
      } else if info.next.first == client.player || schedule.isChance(oneIn: 3) {
        move(view, client)
        if schedule.isChance(oneIn: 3) { move(view, client) }
      }
    }
  }

  /// Not where a match was found: whether such a context ends with the time to join depends on
  /// whether a game is played there, which the models of groups do not know.
  private func startGame(_ context: ContextID, _ client: SimulatedClient) {
    if gathering.infos[context]?.form == .matched { return }
    let known = gathering.infos[context]?.players.filter { $0.state == .active }.map(\.player) ?? []
    var start = StartTurnGame()
    start.context = context
    start.players = known.filter { $0 != client.player && !schedule.isChance(oneIn: 5) }
    // Games of two can be foreseen, and an undo has one to agree.
    if schedule.isChance(oneIn: 2) { start.players = Array(start.players.prefix(1)) }
    start.players.insert(client.player, at: Int(number(0...Int64(start.players.count))))
    if start.players.count < 2 { return }
    start.options.hasSealedRounds = schedule.isChance(oneIn: 3)
    start.options.allowsSpectators = !schedule.isChance(oneIn: 4)
    start.options.turnTimeoutMilliseconds =
      schedule.pick([5_000, 9_000, Self.longTurn, Self.longTurn, Self.longTurn]) ?? Self.longTurn
    if schedule.isChance(oneIn: 5) { start.options.playerClockMilliseconds = 20_000 }
    for player in start.players {
      var dealt = TurnHiddenState()
      dealt.player = player
      dealt.hidden = Bytes(deployment.secrets.secret(of: player))
      start.hidden.append(dealt)
    }
    client.call(start) { [self] result in
      guard case .success(let info) = result else { return }
      for seat in info.seats where schedule.isChance(oneIn: 2) { playSoon(context, seat.player) }
    }
  }

  /// Longer than a seed lasts, but for the leaps of clocks.
  private static let longTurn: Int64 = 7_200_000

  private func answer(_ info: TurnGameInfo, _ client: SimulatedClient) {
    var answer = AnswerTurnGame()
    (answer.context, answer.number) = (info.context, info.number)
    answer.accept = !schedule.isChance(oneIn: 8)
    client.call(answer)
  }

  /// Who is told that it is another's turn may try all the same, and must not succeed.
  private func move(_ view: TurnGameView, _ client: SimulatedClient) {
    let info = view.info
    var move = MakeMove()
    (move.context, move.number, move.version) = (info.context, info.number, info.version)
    let bytes = nextMove
    move.payload = info.seats.count == 2 ? payloadOfTwo : Bytes(bytes)
    move.state = Bytes((view.state?.array ?? []) + bytes)
    if schedule.isChance(oneIn: 3) {
      move.hidden = Bytes(deployment.secrets.secret(of: client.player))
    }
    // Now and then the turn stays.
    if schedule.isChance(oneIn: 4) { move.next = [client.player] }
    let isInTurn = info.next.first == client.player
    client.call(move) { [self] result in
      guard case .success(let moved) = result else { return }
      if !isInTurn {
        deployment.fail("1.9 \(client.player) moved when it was not its turn: \(info)")
      }
      if let next = moved.next.first, schedule.isChance(oneIn: 2) { playSoon(info.context, next) }
    }
  }

  /// Eight bytes that no other move has.
  private var nextMove: [UInt8] {
    gathering.moves += 1
    var writer = Writer()
    writer.integer(gathering.moves)
    return writer.bytes
  }

  /// One of a few, so that a game of two can be foreseen.
  private var payloadOfTwo: Bytes { Bytes([UInt8(number(1...2))]) }

  private func foresee(_ info: TurnGameInfo, _ client: SimulatedClient) {
    var set = SetConditionalMoves()
    (set.context, set.number, set.version) = (info.context, info.number, info.version)
    for _ in 0..<number(0...3) {
      var step = ConditionalStep()
      (step.expected, step.payload) = (payloadOfTwo, Bytes(nextMove))
      if schedule.isChance(oneIn: 2) { step.state = step.payload }
      var line = ConditionalLine()
      line.steps = [step]
      set.lines.append(line)
    }
    client.call(set)
  }

  private func proposeUndo(_ info: TurnGameInfo, _ client: SimulatedClient) {
    if info.moveCount == 0 || info.options.hasSealedRounds { return }
    var propose = ProposeTurnChange()
    (propose.context, propose.number) = (info.context, info.number)
    propose.kind = .undo
    propose.move = info.moveCount - UInt32(number(1...Int64(min(3, info.moveCount))))
    client.call(propose) { [self] result in
      guard case .success(let info) = result, info.proposal != nil else { return }
      for seat in info.seats where seat.state == .active { playSoon(info.context, seat.player) }
    }
  }

  /// A player looks at a game because it hears of another's doing.
  private func playSoon(_ context: ContextID, _ player: PlayerID) {
    schedule.after(number(0...500)) { [self] in
      if let client = free(player) { look(context, client) }
    }
  }

  private func agree(
    to proposal: TurnProposal, _ info: TurnGameInfo, _ client: SimulatedClient
  ) {
    var answer = AnswerTurnProposal()
    (answer.context, answer.number) = (info.context, info.number)
    (answer.proposal, answer.accept) = (proposal.id, !schedule.isChance(oneIn: 8))
    client.call(answer)
  }

  private func spectate(_ info: TurnGameInfo, _ client: SimulatedClient) {
    var spectate = SpectateTurnGame()
    (spectate.context, spectate.number) = (info.context, info.number)
    spectate.isWatching = !schedule.isChance(oneIn: 6)
    client.call(spectate)
  }

  /// Says something that nobody but the players of the game may hear.
  private func exchange(_ info: TurnGameInfo, _ client: SimulatedClient) {
    let players = info.seats.map(\.player)
    let words = Bytes(deployment.secrets.secret(of: client.player, and: players))
    let open = info.exchanges.first { exchange in
      !exchange.isComplete && exchange.receivers.contains(client.player)
        && !exchange.answered.contains(client.player)
    }
    if let open {
      var answer = AnswerTurnExchange()
      (answer.context, answer.number) = (info.context, info.number)
      (answer.exchange, answer.payload) = (open.id, words)
      return client.call(answer)
    }
    var exchange = OpenTurnExchange()
    (exchange.context, exchange.number, exchange.payload) = (info.context, info.number, words)
    exchange.players = info.seats.filter { $0.state == .active && $0.player != client.player }
      .map(\.player)
    if !exchange.players.isEmpty { client.call(exchange) }
  }

  /// Goes on from one of the last moves in a new context, mostly with the same players. Those may
  /// leave it before the moves are copied.
  private func fork(_ info: TurnGameInfo, _ client: SimulatedClient) {
    // What is left on a clock then, no model knows; and without end all games would be forks.
    if info.options.hasSealedRounds && info.options.playerClockMilliseconds > 0 { return }
    let known = gathering.infos[info.context]?.players.filter { $0.state == .active }.map(\.player)
    var fork = ForkTurnGame()
    (fork.context, fork.number) = (info.context, info.number)
    fork.move = info.moveCount - UInt32(number(0...Int64(min(3, info.moveCount))))
    for player in [client.player] + info.seats.map(\.player) + (known ?? [])
    where fork.players.count < info.seats.count && known?.contains(player) == true
      && !fork.players.contains(player)
    {
      fork.players.append(player)
    }
    if fork.players.count < info.seats.count || gathering.forks == Self.forksMax { return }
    fork.players.shuffle(using: &schedule.random)
    client.call(fork) { [self, fork] result in
      guard case .success(let reply) = result else { return }
      gathering.forks += 1
      for player in fork.players {
        schedule.after(number(0...1_000)) { [self] in
          guard let client = free(player) else { return }
          if schedule.isChance(oneIn: 8) { return leaveContext(reply.context, client) }
          enter(reply.context, client)
        }
      }
    }
  }

  private static let forksMax = 4

  private func seal(_ info: TurnGameInfo, _ client: SimulatedClient) {
    var seal = SealMove()
    (seal.context, seal.number, seal.round) = (info.context, info.number, info.round)
    seal.payload = Bytes(deployment.secrets.secret(of: client.player, isSealed: true))
    client.call(seal)
  }

  private func save(_ view: TurnGameView, _ client: SimulatedClient) {
    var save = SaveTurnState()
    (save.context, save.number) = (view.info.context, view.info.number)
    save.version = view.info.version
    save.hidden = Bytes(deployment.secrets.secret(of: client.player))
    client.call(save)
  }

  private func quit(_ info: TurnGameInfo, _ client: SimulatedClient) {
    var quit = QuitTurnGame()
    (quit.context, quit.number) = (info.context, info.number)
    client.call(quit)
  }

  private func endGame(_ view: TurnGameView, _ client: SimulatedClient) {
    var end = EndTurnGame()
    (end.context, end.number) = (view.info.context, view.info.number)
    end.version = view.info.version
    for seat in view.info.seats where seat.state == .active || seat.state == .invited {
      var outcome = TurnSeatOutcome()
      (outcome.player, outcome.outcome) = (seat.player, .tied)
      end.outcomes.append(outcome)
    }
    client.call(end)
  }
}
