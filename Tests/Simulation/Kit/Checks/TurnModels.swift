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

  let context: ContextID
  let number: UInt32
  let options: TurnOptions
  let players: [PlayerID]
  /// The newest version that a call has told of.
  var version: UInt64
  var state: [UInt8]
  var hidden: [PlayerID: [UInt8]] = [:]
  /// Moves that were not sealed, and the versions after them.
  var moves: [(player: PlayerID, payload: [UInt8], version: UInt64)] = []
  var sealed: [Sealed] = []
  /// When the first of each player's calls to go was asked, in the simulation's milliseconds.
  var leavers: [PlayerID: Int64] = [:]
  var endedAt: Int64?
  let span: ClosedRange<Int64>

  init(_ start: StartTurnGame, _ info: TurnGameInfo, _ span: ClosedRange<Int64>) {
    (context, number) = (info.context, info.number)
    (options, players, version) = (start.options, start.players, info.version)
    (state, self.span) = (start.state.array, span)
    for dealt in start.hidden { hidden[dealt.player] = dealt.hidden.array }
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
    } else if let (move, info) = call.decoded(MakeMove.self) {
      try change(info, call, seen: move.version) { model in
        model.moves.append((call.player, move.payload.array, info.version))
        if let state = move.state { model.state = state.array }
        if let hidden = move.hidden { model.hidden[call.player] = hidden.array }
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
    _ info: TurnGameInfo, _ call: Ledger.Done, seen: UInt64?, _ change: (inout TurnModel) -> Void
  ) throws(Violation) {
    let key = Key(context: info.context, number: info.number)
    guard var model = all[key] else {
      throw Violation(description: "1.9 \(call.opcode) of a game that nobody began")
    }
    try model.took(call, seen: seen, told: info.version)
    change(&model)
    all[key] = model
  }

  /// - Parameter players: nil for all.
  private mutating func left(_ context: ContextID, _ players: [PlayerID]?, _ time: Int64) {
    guard let number = last[context] else { return }
    let key = Key(context: context, number: number)
    for player in players ?? all[key]?.players ?? [] { all[key]?.left(player, at: time) }
  }
}
