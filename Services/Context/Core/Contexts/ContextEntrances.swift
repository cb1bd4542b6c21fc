import Domain
import Operations
import Wire

/// Players come into contexts and leave them.
struct ContextEntrances: CorePart {
  let contexts: Contexts
  let matches: Matches
  let turns: TurnGames

  func register(_ router: inout Router) {
    router.on(CreateSoloContext.self, createSolo)
    router.on(CreatePairContext.self, createPair)
    router.on(SwitchContext.self, switchContext)
    router.on(LeaveContext.self, leaveContext)
    router.on(OpenContext.self, openContext)
  }

  private func createSolo(
    _ operation: CreateSoloContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    let id = ContextID(reinterpreting: call.key)
    if contexts[id] != nil { return try contexts.participant(id, call).info }
    var row = ContextRow()
    row.key = id
    row.game = call.game
    row.form = .solo
    row.players = [ContextPlayer(player: call.player, role: .owner, state: .active)]
    row.createdAt = transaction.now
    contexts.keep(&row, entering: call.player, &transaction)
    return row.info
  }

  private func createPair(
    _ operation: CreatePairContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    let (caller, other) = (call.player, operation.player)
    guard !other.isNil else { throw .requiredArgument("player", "A player must be named.") }
    guard other != caller else {
      throw .invalidArgument("player", "A context with oneself is a solo context.")
    }
    // The caller's own list may not have heard yet of a block, which holds at once at the other's
    // key.
    guard try call.fact(FetchFriends.self).friends.contains(other),
      try call.fact(FetchPlayer.self, at: other).isReachable
    else {
      throw .refuse(.notReachable, argument: "player", "This player cannot be reached.")
    }
    let id = ContextID(reinterpreting: call.key)
    let known = contexts[id]
    if let known {
      guard known.game == call.game, known.form == .pair,
        Set(known.players.map(\.player)) == [caller, other]
      else { throw .refuse(.notFound, "The key is not the one of this pair.") }
    }
    var row = known ?? ContextRow()
    let isNew = row.isClosed
    if isNew {
      row.key = id
      row.game = call.game
      row.form = .pair
      row.generation = known.map { $0.generation + 1 } ?? 1
      row.createdAt = transaction.now
      row.hasPlayed = false
      row.players = [
        ContextPlayer(player: caller, role: .owner, state: .active),
        ContextPlayer(player: other, role: .participant, state: .left),
      ]
    }
    let hasEntered = isNew || row.state(of: caller) != .active
    row.set(.active, of: caller)
    let isInviting = row.state(of: other) == .left
    if isInviting { row.set(.invited, of: other) }
    contexts.keep(&row, entering: caller, &transaction)
    if isInviting {
      var event = ContextInvitation()
      event.info = row.info
      event.inviter = caller
      transaction.effect(
        AppendEvent(event, to: other, from: caller), on: other, game: row.game)
    } else if hasEntered {
      contexts.tell(row, about: caller, .active, &transaction)
    }
    return row.info
  }

  private func openContext(
    _ operation: OpenContext, _ call: Call, _ transaction: inout Transaction
  ) {
    var row = ContextRow()
    row.key = operation.context
    row.game = call.game
    row.form = .matched
    row.players = operation.players
    for index in row.players.indices {
      row.players[index].role = index == 0 ? .owner : .participant
    }
    row.createdAt = transaction.now
    contexts.keep(&row, &transaction)
  }

  private func switchContext(
    _ operation: SwitchContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    var row = try contexts.participant(operation.context, call)
    let hasEntered = row.state(of: call.player) != .active
    row.set(.active, of: call.player)
    contexts.keep(&row, entering: call.player, &transaction)
    if hasEntered { contexts.tell(row, about: call.player, .active, &transaction) }
    return row.info
  }

  private func leaveContext(
    _ operation: LeaveContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    var row = try contexts.participant(operation.context, call)
    // Before all else: it may stop for rows.
    try turns.leave(
      row.key, [call.player], isClosing: row.present.count == 1, &transaction)
    matches.leave(matchOf: row.key, call.player, isForGood: true, &transaction)
    row.leave(call.player)
    if row.isClosed && row.form == .solo {
      // Nobody can come back to it: its id was made from a call that is answered.
      contexts.remove(row, &transaction)
    } else {
      contexts.keep(&row, &transaction)
      contexts.tell(row, about: call.player, .left, &transaction)
    }
    contexts.record(row, in: call.player, isMember: false, isEntered: false, &transaction)
  }
}
