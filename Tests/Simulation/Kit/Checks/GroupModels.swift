import Operations
import Wire

/// All groups and contexts of queues, as the calls and effects left them that took effect.
struct GroupModels {
  private(set) var all: [ContextID: GroupModel] = [:]
  /// The events that players must have got.
  private(set) var told: [String: Int] = [:]
  /// Those for whom seats in running matches were asked, by what the answer names.
  private var asked: [ContextID: AddMatchSeats] = [:]

  init() {}

  init(_ steps: [Ledger.Step]) throws(Violation) {
    for step in steps { try take(step) }
  }

  mutating func take(_ step: Ledger.Step) throws(Violation) {
    switch step {
    case .call(let call): try take(call)
    case .effect(let effect): open(effect)
    case .sent(let effect):
      endJoining(effect)
      giveSeats(effect)
    }
  }

  func holds(_ player: PlayerID, in context: ContextID) -> Bool {
    all[context]?.holds(player) ?? false
  }

  private mutating func open(_ effect: Ledger.Applied) {
    guard effect.opcode == OpenContext.opcode,
      let open = try? OpenContext(decoding: effect.body), all[open.context] == nil
    else { return }
    var model = GroupModel(open.context)
    model.form = .matched
    for player in open.players {
      model.order.append(player.player)
      model.states[player.player] = player.state
    }
    model.owner = model.order.first
    all[open.context] = model
  }

  /// Players of a match that was found have not joined it, or left before it began. The service
  /// says so to each player, before the answer to whoever has left.
  private mutating func endJoining(_ effect: Ledger.Applied) {
    guard effect.opcode == AppendEvent.opcode,
      let append = try? AppendEvent(decoding: effect.body),
      append.kind == JoiningEnded.opcode.rawValue,
      let event = try? JoiningEnded(decoding: append.body.array)
    else { return }
    all[event.context]?.endJoining(event, &told)
  }

  /// A queue has put players together with those of a running match: its context gives seats to all
  /// of them, or to nobody.
  private mutating func giveSeats(_ effect: Ledger.Applied) {
    if effect.opcode == AddMatchSeats.opcode, let add = try? AddMatchSeats(decoding: effect.body) {
      asked[add.request] = add
    } else if effect.opcode == MatchSeatsAnswered.opcode,
      let answer = try? MatchSeatsAnswered(decoding: effect.body), answer.isGiven,
      let add = asked.removeValue(forKey: answer.request)
    {
      all[add.context]?.add(add.players, &told)
    }
  }

  private mutating func take(_ call: Ledger.Done) throws(Violation) {
    let player = call.player
    if let (create, reply) = call.decoded(CreateGroupContext.self) {
      var model = GroupModel(reply.info.context)
      (model.sizeMax, model.policy) = (Int(create.sizeMax), create.policy)
      model.begin(with: player)
      // Whoever is invited by the call itself is no news for its caller, who is alone.
      try model.invite(reply.outcomes, by: player, &told)
      all[model.id] = model
      try model.compare(reply.info, hasSettings: false)
    } else if let (join, info) = call.decoded(JoinContext.self) {
      try change(join.context, info) { (model, told) throws(Violation) in
        try model.join(player, &told, as: info.player(player))
      }
    } else if let (enter, info) = call.decoded(SwitchContext.self) {
      try change(enter.context, info) { (model, told) throws(Violation) in
        try model.enter(player, &told)
      }
    } else if let (invite, reply) = call.decoded(InviteToContext.self) {
      try change(invite.context, reply.info) { (model, told) throws(Violation) in
        try model.invite(reply.outcomes, by: player, &told)
      }
    } else if let (answer, info) = call.decoded(AnswerContextRequest.self) {
      try change(answer.context, info) { (model, told) throws(Violation) in
        try model.answer(answer.player, answer.accept, by: player, &told)
      }
    } else {
      try takeChange(call)
    }
  }

  private mutating func takeChange(_ call: Ledger.Done) throws(Violation) {
    let player = call.player
    if let (leave, _) = call.decoded(LeaveContext.self) {
      try change(leave.context, nil) { (model, told) throws(Violation) in
        try model.leave(player, &told)
      }
    } else if let (remove, info) = call.decoded(RemoveFromContext.self) {
      try change(remove.context, info) { (model, told) throws(Violation) in
        try model.remove(remove.player, by: player, &told)
      }
    } else if let (close, _) = call.decoded(CloseContext.self) {
      try change(close.context, nil) { (model, told) throws(Violation) in
        try model.close(by: player, &told)
      }
    } else if let (reopen, info) = call.decoded(ReopenContext.self) {
      try change(reopen.context, info) { (model, _) throws(Violation) in
        try model.reopen(by: player)
      }
    } else if let (role, info) = call.decoded(ChangeContextRole.self) {
      try change(role.context, info) { (model, told) throws(Violation) in
        try model.change(role.player, role.role, by: player, &told)
      }
    } else if let (settings, info) = call.decoded(ChangeContextSettings.self) {
      try change(settings.context, info) { (model, _) throws(Violation) in
        try model.set(settings, by: player)
      }
    }
  }

  /// Changes the model of a context, if it is a group or a queue's, and compares it with what the
  /// caller was told.
  private mutating func change(
    _ id: ContextID, _ info: ContextInfo?,
    _ change: (inout GroupModel, inout [String: Int]) throws(Violation) -> Void
  ) throws(Violation) {
    guard var model = all[id] else { return }
    try change(&model, &told)
    all[id] = model
    // Whoever has asked to be let in is told nothing of those who are in.
    guard let info, !info.players.contains(where: { $0.state == .requested }) else { return }
    try model.compare(info, hasSettings: false)
  }
}
