import Wire

/// A turn-based game as somebody would play it on paper: every position is written down whole, and
/// nothing is stored cleverly. Players are numbers, in the order of the seats.
struct TurnModel {
  struct Position: Equatable {
    var state: [UInt8]
    var hidden: [[UInt8]?]
    var queue: [Int]
    var clocks: [Int64]
  }

  struct Move: Equatable {
    var player: Int
    var payload: [UInt8]
    /// Nil for one that was copied by a fork from before its position.
    var position: Position?
  }

  typealias Line = [(expected: [UInt8], payload: [UInt8])]

  let isSealed: Bool
  let timeout: Int64
  let clock: Int64
  var start: Position?
  var moves: [Move] = []
  var state: [UInt8]
  var hidden: [[UInt8]?]
  var queue: [Int]
  var clocks: [Int64]
  var isIn: [Bool]
  /// Seats that nobody has taken yet.
  var open: Set<Int>
  var exchanges: [Exchange] = []
  var exchangeCount: UInt32 = 0
  var round = 1
  var sealed: [Int: [UInt8]] = [:]
  var lines: [Int: [Line]] = [:]
  var proposal: (undo: Int?, agreed: Set<Int>)?
  var isPaused = false
  var isOver = false
  var turnStart: Int64
  var spent: Int64 = 0
  var timeouts = 0

  /// - Parameter open: how many seats behind the players' are open.
  init(
    players: Int, open: Int = 0, isSealed: Bool, timeout: Int64, clock: Int64, state: [UInt8],
    now: Int64
  ) {
    self.isSealed = isSealed
    self.timeout = timeout
    self.clock = clock
    self.state = state
    hidden = Array(repeating: nil, count: players + open)
    queue = isSealed ? [] : Array(0..<players)
    clocks = Array(repeating: clock, count: players + open)
    isIn = (0..<players + open).map { $0 < players }
    self.open = Set(players..<players + open)
    turnStart = now
    start = position
  }

  var position: Position {
    Position(state: state, hidden: hidden, queue: queue, clocks: clocks)
  }

  var playing: [Int] { isIn.indices.filter { isIn[$0] } }

  func isAwaited(_ player: Int) -> Bool {
    if isOver || isPaused || !isIn[player] { return false }
    return isSealed ? sealed[player] == nil : queue.first == player
  }

  func mayAct(_ player: Int) -> Bool {
    !isOver && !isPaused && isIn[player] && (isSealed || queue.first == player)
  }

  func order(after player: Int) -> [Int] {
    let all = Array(isIn.indices)
    return (all[(player + 1)...] + all[...player]).filter { isIn[$0] }
  }

  // MARK: What players do

  mutating func move(
    _ player: Int, _ payload: [UInt8], state: [UInt8]?, hidden own: [UInt8]?, next: [Int],
    now: Int64
  ) {
    play(player, payload, state: state, hidden: own, next: next, now: now)
    var last = payload
    while let holder = queue.first, let lines = lines[holder] {
      let fitting = lines.filter { $0.first?.expected == last }
      guard let answer = fitting.first?.first?.payload else {
        self.lines[holder] = nil
        break
      }
      let rest = fitting.filter { $0.first?.payload == answer }.map { Line($0.dropFirst()) }
        .filter { !$0.isEmpty }
      self.lines[holder] = rest.isEmpty ? nil : rest
      play(holder, answer, state: nil, hidden: nil, next: [], now: now)
      last = answer
    }
  }

  private mutating func play(
    _ player: Int, _ payload: [UInt8], state: [UInt8]?, hidden own: [UInt8]?, next: [Int],
    now: Int64
  ) {
    if let state { self.state = state }
    if let own { hidden[player] = own }
    charge(player, now)
    proposal = nil
    timeouts = 0
    queue = next.isEmpty ? order(after: player) : next
    begin(now)
    moves.append(Move(player: player, payload: payload, position: position))
    if queue.first == player { lines = [:] }
  }

  mutating func save(_ state: [UInt8]) {
    self.state = state
    changed()
  }

  mutating func seal(_ player: Int, _ payload: [UInt8], now: Int64) {
    charge(player, now)
    sealed[player] = payload
    if timeouts >= playing.count {
      for other in playing where sealed[other] == nil { charge(other, now) }
      begin(now)
    }
    timeouts = 0
    if haveAllSealed { reveal(now) }
  }

  var haveAllSealed: Bool { !sealed.isEmpty && playing.allSatisfy { sealed[$0] != nil } }

  mutating func reveal(_ now: Int64) {
    changed()
    for player in playing where sealed[player] == nil { charge(player, now) }
    begin(now)
    for player in sealed.keys.sorted() {
      moves.append(Move(player: player, payload: sealed[player] ?? [], position: position))
    }
    sealed = [:]
    round += 1
  }

  mutating func quit(_ player: Int, now: Int64) {
    let hadTurn = queue.first == player
    if hadTurn { charge(player, now) }
    isIn[player] = false
    queue.removeAll { $0 == player }
    changed()
    leaveExchanges(player, now)
    if playing.isEmpty || playing.count + open.count < 2 { return end(now) }
    if hadTurn {
      if queue.isEmpty { queue = order(after: player) }
      begin(now)
    }
    if haveAllSealed { reveal(now) }
  }

  mutating func end(_ now: Int64) {
    if !sealed.isEmpty { reveal(now) }
    changed()
    isOver = true
    queue = []
    open = []
    exchanges = []
  }

  mutating func take(_ seat: Int, now: Int64) {
    changed()
    open.remove(seat)
    isIn[seat] = true
    clocks[seat] = clock
    if isSealed {
      for other in playing where other != seat && sealed[other] == nil { charge(other, now) }
      begin(now)
    }
    // Turns that do not end any more stay so.
    if timeouts >= playing.count - 1 { timeouts = playing.count }
  }

  /// Returns false where everybody has not agreed yet.
  mutating func agree(_ player: Int, now: Int64) {
    proposal?.agreed.insert(player)
    guard let settled = proposal, settled.agreed.isSuperset(of: playing) else { return }
    proposal = nil
    if let index = settled.undo {
      undo(to: index, now: now)
    } else {
      spent += now - turnStart
      isPaused = true
    }
  }

  private mutating func undo(to index: Int, now: Int64) {
    changed()
    guard let target = index == 0 ? start : moves[index - 1].position else { return }
    moves.removeSubrange(index...)
    state = target.state
    hidden = target.hidden
    clocks = target.clocks
    queue = target.queue.filter { isIn[$0] }
    if queue.isEmpty { queue = order(after: target.queue[0]) }
    timeouts = 0
    begin(now)
  }

  mutating func resume(_ now: Int64) {
    isPaused = false
    turnStart = now
  }

  private mutating func changed() {
    proposal = nil
    lines = [:]
  }

  // MARK: Time

  private mutating func begin(_ now: Int64) {
    turnStart = now
    spent = 0
  }

  private func elapsed(_ now: Int64) -> Int64 { spent + (isPaused ? 0 : now - turnStart) }

  private mutating func charge(_ player: Int, _ now: Int64) {
    if clock > 0 { clocks[player] = max(0, clocks[player] - elapsed(now)) }
  }

  /// When something happens by itself.
  var due: Int64? {
    if isOver || isPaused { return nil }
    var limits = timeouts < playing.count ? [timeout] : []
    if clock > 0 { limits += isIn.indices.filter(isAwaited).map { max(1, clocks[$0]) } }
    return limits.min().map { turnStart - spent + $0 }
  }

  mutating func pass(until now: Int64) {
    while true {
      let exchange = exchanges.map(\.due).min()
      if let exchange, exchange <= now, exchange < due ?? .max {
        expireExchange(exchange)
        continue
      }
      guard let due, due <= now else { return }
      let elapsed = elapsed(due)
      let turn = (turnStart, queue, round)
      for player in isIn.indices.filter(isAwaited) where clock > 0 {
        if isOver || elapsed < max(1, clocks[player]) { continue }
        clocks[player] = 0
        quit(player, now: due)
      }
      let isOut = turn != (turnStart, queue, round)
      if isOver || isOut || timeouts >= playing.count || elapsed < timeout { continue }
      if isSealed {
        timeouts += playing.count
        if sealed.isEmpty {
          for player in playing { charge(player, due) }
          begin(due)
        } else {
          reveal(due)
        }
      } else if let holder = queue.first {
        charge(holder, due)
        timeouts += 1
        changed()
        queue.removeFirst()
        if queue.isEmpty { queue = order(after: holder) }
        begin(due)
      }
    }
  }
}
