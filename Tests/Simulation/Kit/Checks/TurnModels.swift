import Operations
import Wire

/// What is known of one turn-based game from the calls that took effect: its moves, in their order,
/// and what each player keeps hidden.
struct TurnModel {
  struct Sealed {
    var round: UInt32
    var player: PlayerID
    var payload: [UInt8]
    var span: ClosedRange<Int64>
  }

  /// What an undo or a fork brings back.
  struct Position {
    var state: [UInt8]
    var hidden: [PlayerID: [UInt8]]
    var version: UInt64
  }

  let context: ContextID
  let number: UInt32
  let options: TurnOptions
  let players: [PlayerID]
  /// With how many moves it began; nil unless it is a fork.
  var forkedAt: UInt32?
  /// The newest version that a call has told of.
  var version: UInt64
  var state: [UInt8]
  var hidden: [PlayerID: [UInt8]] = [:]
  /// Moves that were not sealed, and the versions after them.
  var moves: [(player: PlayerID, payload: [UInt8], version: UInt64)] = []
  var sealed: [Sealed] = []
  /// Those with which a fork began.
  var copied: [Sealed] = []
  /// At the start and after each move that was not sealed.
  var positions: [Position] = []
  /// How many moves are to remain, and who has agreed.
  var proposal: (move: UInt32, agreed: Set<PlayerID>)?
  /// What a player foresees at a version, in a game of two.
  var lines: [PlayerID: (lines: [ConditionalLine], version: UInt64)] = [:]
  private(set) var undone = 0
  private(set) var foreseen = 0
  /// When the first of each player's calls to go was asked, in the simulation's milliseconds.
  var leavers: [PlayerID: Int64] = [:]
  var endedAt: Int64?
  let span: ClosedRange<Int64>

  init(_ start: StartTurnGame, _ info: TurnGameInfo, _ span: ClosedRange<Int64>) {
    (context, number) = (info.context, info.number)
    (options, players, version) = (start.options, start.players, info.version)
    (state, self.span) = (start.state.array, span)
    for dealt in start.hidden { hidden[dealt.player] = dealt.hidden.array }
    positions = [Position(state: state, hidden: hidden, version: version)]
  }

  /// A player has moved, and another may have moved at once, as it has foreseen.
  mutating func moved(
    _ move: MakeMove, by player: PlayerID, _ info: TurnGameInfo
  ) throws(Violation) {
    let keepsTurn = move.next.first == player
    let other = players.first { $0 != player } ?? player
    let answer = keepsTurn ? nil : answer(of: other, to: move.payload, at: move.version)
    let (count, due) = (Int(info.moveCount), moves.count + (answer == nil ? 1 : 2))
    guard count > moves.count else {
      throw Violation(description: "1.9 \(name) has not the moves that were made: \(info)")
    }
    guard count >= due else {
      throw Violation(description: "1.9 \(name) lacks what was foreseen: \(info), \(lines)")
    }
    guard count == due else {
      throw Violation(description: "1.9 \(name) has a move that nobody made: \(info), \(lines)")
    }
    if let hidden = move.hidden { self.hidden[player] = hidden.array }
    add(player, move.payload, move.state, info.version - (answer == nil ? 0 : 1))
    guard let answer else { return }
    add(other, answer.payload, answer.state, info.version)
    foreseen += 1
  }

  private func answer(
    of player: PlayerID, to payload: Bytes, at version: UInt64
  ) -> ConditionalStep? {
    guard players.count == 2, let own = lines[player], own.version == version else { return nil }
    return own.lines.compactMap(\.steps.first).first { $0.expected == payload }
  }

  private mutating func add(
    _ player: PlayerID, _ payload: Bytes, _ state: Bytes?, _ version: UInt64
  ) {
    moves.append((player, payload.array, version))
    if let state { self.state = state.array }
    positions.append(Position(state: self.state, hidden: hidden, version: version))
  }

  /// A player has proposed an undo or agreed to it: when all have, it is done.
  mutating func agreed(_ player: PlayerID, _ info: TurnGameInfo) throws(Violation) {
    proposal?.agreed.insert(player)
    guard info.proposal == nil, let (move, agreed) = proposal else { return }
    proposal = nil
    let playing = info.seats.filter { $0.state == .active || $0.state == .invited }
    guard playing.allSatisfy({ agreed.contains($0.player) }), info.moveCount == move else {
      throw Violation(
        description: "1.9 \(info.moveCount) moves remain instead of \(move) in game \(number) of "
          + "\(context), as \(agreed) have agreed")
    }
    undone += moves.count - Int(move)
    moves = Array(moves.prefix(Int(move)))
    positions = Array(positions.prefix(Int(move) + 1))
    (state, hidden) = (positions[Int(move)].state, positions[Int(move)].hidden)
  }

  mutating func left(_ player: PlayerID, at time: Int64) {
    leavers[player] = min(leavers[player] ?? time, time)
  }

  /// A call that said which version it has seen has taken effect.
  mutating func took(_ call: Ledger.Done, seen: UInt64?, told: UInt64) throws(Violation) {
    if let seen, seen < version {
      throw Violation(
        description: "1.9 \(call.opcode) of \(call.player) on version \(seen) took effect after "
          + "version \(version) of game \(number) in \(context)")
    }
    guard told >= version else {
      throw Violation(description: "1.9 version \(told) comes after \(version) in \(context)")
    }
    version = told
  }
}

/// All turn-based games, as the calls left them that took effect.
struct TurnModels {
  struct Key: Hashable, Comparable {
    var context: ContextID
    var number: UInt32

    static func < (one: Key, other: Key) -> Bool {
      (one.context, one.number) < (other.context, other.number)
    }
  }

  private(set) var all: [Key: TurnModel] = [:]
  /// The last game of each context. Numbers go on when a context was closed and its games are gone.
  private(set) var last: [ContextID: UInt32] = [:]

  init(_ steps: [Ledger.Step]) throws(Violation) {
    var groups = GroupModels()
    for step in steps {
      try groups.take(step)
      guard case .call(let call) = step else { continue }
      try take(call)
      // With the last who is in a group the invited go as well.
      if let (leave, _) = call.decoded(LeaveContext.self),
        groups.all[leave.context]?.isOpen == false
      {
        left(leave.context, nil, call.span.lowerBound)
      }
    }
  }

  private mutating func take(_ call: Ledger.Done) throws(Violation) {
    if let (start, info) = call.decoded(StartTurnGame.self) {
      let last = self.last[info.context] ?? 0
      guard info.number == last + 1 else {
        throw Violation(
          description: "1.9 game \(info.number) of \(info.context) was begun after \(last)")
      }
      self.last[info.context] = info.number
      all[Key(context: info.context, number: info.number)] = TurnModel(start, info, call.span)
    } else if let (fork, reply) = call.decoded(ForkTurnGame.self) {
      guard let source = all[Key(context: fork.context, number: fork.number)],
        last.updateValue(1, forKey: reply.context) == nil
      else { throw Violation(description: "1.11 \(fork) was made into \(reply)") }
      all[Key(context: reply.context, number: 1)] = TurnModel(
        forking: source, fork, to: reply.context, call.span)
    } else if let (move, info) = call.decoded(MakeMove.self) {
      try change(info, call, seen: move.version) { (model) throws(Violation) in
        try model.moved(move, by: call.player, info)
      }
    } else if let (save, info) = call.decoded(SaveTurnState.self) {
      try change(info, call, seen: save.version) { model in
        if let hidden = save.hidden { model.hidden[call.player] = hidden.array }
      }
    } else if let (seal, info) = call.decoded(SealMove.self) {
      try change(info, call, seen: nil) { model in
        model.sealed.append(
          .init(
            round: seal.round, player: call.player, payload: seal.payload.array, span: call.span))
      }
    } else if let (set, info) = call.decoded(SetConditionalMoves.self) {
      try change(info, call, seen: set.version) { model in
        model.lines[call.player] = (set.lines, set.version)
      }
    } else if let (propose, info) = call.decoded(ProposeTurnChange.self) {
      try change(info, call, seen: nil) { (model) throws(Violation) in
        model.proposal = (propose.move, [])
        try model.agreed(call.player, info)
      }
    } else if let (answer, info) = call.decoded(AnswerTurnProposal.self) {
      try change(info, call, seen: nil) { (model) throws(Violation) in
        if answer.accept {
          try model.agreed(call.player, info)
        } else {
          model.proposal = nil
        }
      }
    } else {
      try takeEnd(call)
    }
  }

  private mutating func takeEnd(_ call: Ledger.Done) throws(Violation) {
    let start = call.span.lowerBound
    if let (answer, info) = call.decoded(AnswerTurnGame.self) {
      try change(info, call, seen: nil) { model in
        if !answer.accept { model.left(call.player, at: start) }
      }
    } else if let (_, info) = call.decoded(QuitTurnGame.self) {
      try change(info, call, seen: nil) { $0.left(call.player, at: start) }
    } else if let (end, info) = call.decoded(EndTurnGame.self) {
      try change(info, call, seen: end.version) { $0.endedAt = start }
    } else if let (leave, _) = call.decoded(LeaveContext.self) {
      left(leave.context, [call.player], start)
    } else if let (remove, _) = call.decoded(RemoveFromContext.self) {
      left(remove.context, [remove.player], start)
    } else if let (close, _) = call.decoded(CloseContext.self) {
      left(close.context, nil, start)
    }
  }

  private mutating func change(
    _ info: TurnGameInfo, _ call: Ledger.Done, seen: UInt64?,
    _ change: (inout TurnModel) throws(Violation) -> Void
  ) throws(Violation) {
    let key = Key(context: info.context, number: info.number)
    guard var model = all[key] else {
      throw Violation(description: "1.9 \(call.opcode) of a game that nobody began")
    }
    try model.took(call, seen: seen, told: info.version)
    try change(&model)
    all[key] = model
  }

  /// - Parameter players: nil for all.
  private mutating func left(_ context: ContextID, _ players: [PlayerID]?, _ time: Int64) {
    guard let number = last[context] else { return }
    let key = Key(context: context, number: number)
    for player in players ?? all[key]?.players ?? [] { all[key]?.left(player, at: time) }
  }
}
