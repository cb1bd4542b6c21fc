import Operations
import Wire

// Who plays, whose turn it is and when time is up: rules that ask nothing but the row.
extension TurnGameRow {
  var isSealed: Bool { options.hasSealedRounds }

  func seat(of player: PlayerID) -> Int? { seats.firstIndex { $0.player == player } }

  /// Whether a player reads the public state and the moves. Who has declined does not.
  func mayRead(_ player: PlayerID) -> Bool {
    if spectators.contains(player) { return true }
    return seat(of: player).map { seats[$0].state != .declined } ?? false
  }

  func isPlaying(_ seat: Int) -> Bool {
    seats[seat].state == .active || seats[seat].state == .invited
  }

  var playing: [Int] { seats.indices.filter(isPlaying) }

  /// Who plays besides one of them.
  func players(but player: PlayerID) -> [PlayerID] {
    playing.map { seats[$0].player }.filter { $0 != player }
  }

  /// Who plays or may still come.
  var remainingCount: Int {
    seats.count { [.active, .invited, .matching].contains($0.state) }
  }

  var holder: Int? { queue.first.map(Int.init) }

  /// Whether the game goes on when the seat's player moves.
  func isAwaited(_ seat: Int) -> Bool {
    guard phase == .active, isPlaying(seat) else { return false }
    return isSealed ? !seats[seat].hasSealed : holder == seat
  }

  var haveAllSealed: Bool {
    isSealed && playing.allSatisfy { seats[$0].hasSealed } && seats.contains { $0.hasSealed }
  }

  /// The players in the game, in the order of play behind a seat, which is the last.
  func order(after seat: Int) -> [UInt8] {
    (1...seats.count).map { (seat + $0) % seats.count }.filter(isPlaying).map { UInt8($0) }
  }

  // MARK: Time

  /// Milliseconds that this turn has taken.
  func elapsed(_ now: Int64) -> Int64 {
    spent + (phase == .active ? max(0, now - turnStartedAt) : 0)
  }

  /// Everyone has let the time pass: turns end by themselves no more.
  var isIdle: Bool { Int(timeoutsInRow) >= playing.count }

  /// How long the seat's player may take for this turn before being out.
  func clockLimit(of seat: Int) -> Int64? {
    [
      options.moveClockMilliseconds,
      options.playerClockMilliseconds == 0 ? 0 : max(1, seats[seat].clock),
    ].filter { $0 > 0 }.min()
  }

  /// When the time of the turn or round is up; nil for never.
  var dueAt: Int64? {
    guard phase == .active else { return nil }
    let passing = isIdle ? [] : [options.turnTimeoutMilliseconds]
    let clocks = seats.indices.filter(isAwaited).compactMap(clockLimit)
    return (passing + clocks).min().map { turnStartedAt - spent + $0 }
  }

  /// When who is awaited is reminded, before the turn passes on.
  var reminderAt: Int64? {
    let timeout = options.turnTimeoutMilliseconds
    guard !isIdle, timeout >= TurnLimits.reminderMilliseconds, let dueAt,
      dueAt == turnStartedAt - spent + timeout
    else { return nil }
    return dueAt - timeout / 7
  }

  mutating func charge(_ seat: Int, _ now: Int64) {
    guard options.playerClockMilliseconds > 0 else { return }
    seats[seat].clock = max(0, seats[seat].clock - elapsed(now))
  }

  mutating func beginTurn(_ now: Int64) {
    turn += 1
    turnStartedAt = now
    spent = 0
  }

  // MARK: History

  var position: TurnPosition {
    var position = TurnPosition()
    position.queue = queue
    position.clocks = options.playerClockMilliseconds > 0 ? seats.map(\.clock) : []
    position.round = round
    position.stateVersion = stateVersion
    position.hiddenVersions = isSealed || !options.allowsUndo ? [] : seats.map(\.hiddenVersion)
    return position
  }

  func stateVersion(of seat: UInt8) -> UInt64 {
    seat == TurnStatePlace.publicSeat ? stateVersion : seats[Int(seat)].hiddenVersion
  }

  func key(_ item: UInt64 = 0, seat: UInt8 = TurnStatePlace.publicSeat) -> TurnKey {
    TurnKey(context: key, number: number, item: item, seat: seat)
  }
}

// What others are told.
extension TurnGameRow {
  /// - Parameter reader: whose exchanges and conditional moves are shown.
  func info(for reader: PlayerID) -> TurnGameInfo {
    let own = seat(of: reader)
    var info = TurnGameInfo()
    info.context = key
    info.number = number
    info.version = version
    info.phase = phase
    info.options = options
    info.seats = seats.map(\.info)
    info.next = queue.map { seats[Int($0)].player }
    info.round = isSealed ? round : 0
    info.moveCount = moveCount
    info.turnStartedAt = turnStartedAt
    info.dueAt = dueAt ?? 0
    info.startedAt = startedAt
    info.endedAt = endedAt
    info.proposal = proposal
    info.exchanges = exchanges.filter { own.map(mayRead($0)) ?? false }.map(shown)
    info.spectatorCount = UInt32(spectators.count)
    info.hasConditionalMoves = own.map { seats[$0].hasLines } ?? false
    return info
  }

  func shown(_ exchange: TurnExchangeRow) -> TurnExchange {
    var info = TurnExchange()
    info.id = exchange.id
    info.player = seats[Int(exchange.seat)].player
    info.receivers = exchange.receivers.map { seats[Int($0)].player }
    info.answered = exchange.answered.map { seats[Int($0)].player }
    info.isComplete = exchange.isComplete
    info.dueAt = exchange.dueAt
    return info
  }

  /// Its players read an exchange, and whoever has the turn when it is complete.
  func mayRead(_ exchange: TurnExchangeRow) -> (Int) -> Bool {
    { seat in
      let isPart = Int(exchange.seat) == seat || exchange.receivers.contains(UInt8(seat))
      return isPart || exchange.isComplete && !isSealed && mayChange(seat)
    }
  }

  /// Whether the seat's player may change the public state.
  func mayChange(_ seat: Int) -> Bool {
    phase == .active && isPlaying(seat) && (isSealed || holder == seat)
  }

  /// Where the game stands in a player's list.
  func listState(of seat: Int) -> TurnListState {
    guard isPlaying(seat), phase == .active || phase == .paused else { return .none }
    if isAwaited(seat) || seats[seat].state == .invited { return .waiting }
    if let proposal, !proposal.agreed.contains(seats[seat].player) { return .waiting }
    let isAsked = exchanges.contains {
      !$0.isComplete && $0.receivers.contains(UInt8(seat)) && !$0.answered.contains(UInt8(seat))
    }
    return isAsked ? .waiting : .running
  }

  func view(for reader: PlayerID) -> TurnGameView {
    var view = TurnGameView()
    view.info = info(for: reader)
    return view
  }
}

extension TurnSeatRow {
  var info: TurnSeat {
    var info = TurnSeat()
    info.player = player
    info.state = state
    info.outcome = outcome
    info.clockMilliseconds = clock
    info.hasMoved = hasSealed
    return info
  }
}
