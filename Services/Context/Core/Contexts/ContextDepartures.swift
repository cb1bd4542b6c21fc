package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let closedContextLifetime = NumberSetting(
    "closed-context-days", .days, default: 30, 1...3650,
    "How long a closed group can be opened again by those who owned it.")
}

/// Players leave contexts and are removed from them, and contexts close.
struct ContextDepartures: CorePart {
  let contexts: Contexts
  let matches: Matches
  let turns: TurnGames
  let closedLifetime: Int64
  /// A matched context with a turn-based game that is not over is kept for so many times as long.
  private static let openGameFactor: Int64 = 36

  func register(_ router: inout Router) {
    router.on(LeaveContext.self, leave)
    router.on(LeaveForErased.self, leaveForErased)
    router.on(RemoveFromContext.self, remove)
    router.on(CloseContext.self, close)
    router.on(ClosePairContext.self, closePair)
    router.on(WithdrawInvitation.self, withdraw)
    router.on(ForgetContext.self, forget)
    router.on(EndJoining.self, endJoining)
  }

  private func leave(_ operation: LeaveContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    if takesBackRequest(operation, call, &transaction) { return }
    var row = try contexts.participant(operation.context, call)
    // A group in which nobody is has nobody who could answer, invite or close it.
    if row.form == .group && row.isLast(call.player) {
      return try close(&row, by: call.player, &transaction)
    }
    if try endsJoining(call.player, of: row, &transaction) { return }
    try takeOut([call.player], of: &row, &transaction)
  }

  private func leaveForErased(
    _ operation: LeaveForErased, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard var row = contexts[operation.context], row.game == call.game else { return }
    let player = operation.player
    if row.requests.contains(player) {
      row.requests.removeAll { $0 == player }
      return contexts.keep(&row, isActivity: false, &transaction)
    }
    if row.holds(player) {
      if row.form == .group && row.isLast(player) {
        try close(&row, by: player, &transaction)
      } else if try !endsJoining(player, of: row, &transaction) {
        try takeOut([player], of: &row, &transaction)
      }
    } else {
      // The context may have been left before the stand-in had the seats in it.
      try turns.leave(row.key, [player], isClosing: false, &transaction)
      leaveMatch(of: row.key, [player], &transaction)
    }
    // Nobody else may open the group again: its name and what was played there go now.
    if row.form == .group && row.isClosed && row.formerOwners.allSatisfy({ $0 == player }) {
      forget(row, &transaction)
    }
  }

  private func takesBackRequest(
    _ operation: LeaveContext, _ call: Call, _ transaction: inout Transaction
  ) -> Bool {
    guard var row = contexts[operation.context], row.game == call.game,
      row.requests.contains(call.player)
    else { return false }
    row.requests.removeAll { $0 == call.player }
    contexts.keep(&row, isActivity: false, &transaction)
    return true
  }

  private func remove(
    _ operation: RemoveFromContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    var row = try contexts.group(operation.context, call) { role, _ in
      GroupRoles.mayModerate(role)
    }
    guard operation.player != call.player else {
      throw .invalidArgument("player", "You leave a group by LeaveContext.")
    }
    guard row.holds(operation.player) else {
      throw .notFound("player", "This player is not in the group.")
    }
    guard GroupRoles.mayRemove(row.role(of: operation.player), by: row.role(of: call.player))
    else { throw .notAllowed("player", "You may not remove this player.") }
    row.renewLink(knownTo: operation.player, &transaction)
    row.noteRemoval(operation.player)
    try takeOut([operation.player], of: &row, as: .removed, by: call.player, &transaction)
    return row.details(for: call.player, match: matches.table[row.key])
  }

  private func close(_ operation: CloseContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    var row = try contexts.group(operation.context, call) { role, _ in role == .owner }
    try close(&row, by: call.player, &transaction)
    if operation.isForGood { forget(row, &transaction) }
  }

  private func close(
    _ row: inout ContextRow, by player: PlayerID, _ transaction: inout Transaction
  ) throws(Stop) {
    let others = row.others(than: player)
    try takeOut(others + [player], of: &row, as: nil, &transaction)
    var event = ContextClosed()
    event.context = row.key
    event.generation = row.generation
    for other in others { contexts.tell(event, to: other, from: player, row, &transaction) }
  }

  /// A block that is told late must not close what was opened after it. A match that is under way
  /// goes on: its end would tell the blocked one of the block.
  private func closePair(
    _ operation: ClosePairContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard var row = contexts[operation.context], row.game == call.game, row.form == .pair,
      row.generation == operation.generation, !row.isClosed
    else { return }
    let isUnderWay = matches.isUnderWay(in: row)
    try takeOut(
      row.present.map(\.player), of: &row, as: nil, keepsMatch: isUnderWay, &transaction)
  }

  /// A player who has entered meanwhile, or was invited again, stays.
  private func withdraw(
    _ operation: WithdrawInvitation, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard var row = contexts[operation.context], row.game == call.game, row.form == .group,
      row.state(of: operation.player) == .invited,
      row.checks.contains(where: {
        $0.player == operation.player && $0.inviter == operation.inviter
          && $0.time == operation.checkedAt
      })
    else { return }
    try takeOut([operation.player], of: &row, as: nil, &transaction)
  }

  private func forget(
    _ operation: ForgetContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard var row = contexts[ContextID(reinterpreting: call.key)],
      row.generation == operation.generation
    else { return }
    if row.isClosed { return forget(row, &transaction) }
    guard row.form == .matched else { return }
    let now = transaction.now
    let activeAt = max(row.lastActiveAt, turns.activeAt(in: row.key))
    // A game that is not over stands still for longer, until somebody moves.
    let lifetime = closedLifetime * (turns.isUnderWay(in: row.key) ? Self.openGameFactor : 1)
    let quietAt = (matches.isRunning(in: row.key) ? now : activeAt) + lifetime
    guard quietAt <= now else { return contexts.forgetLater(row, at: quietAt, &transaction) }
    try takeOut(row.present.map(\.player), of: &row, as: nil, &transaction)
    forget(row, &transaction)
  }

  /// Takes players out of a context, its match and its game, and closes it when nobody is left.
  ///
  /// - Parameters:
  ///   - state: what the others are told of them; nil for nothing.
  ///   - remover: who has removed them, which they are told then.
  ///   - keepsMatch: whether they stay in the match.
  func takeOut(
    _ players: [PlayerID], of row: inout ContextRow, as state: ContextPlayerState? = .left,
    by remover: PlayerID? = nil, keepsMatch: Bool = false, _ transaction: inout Transaction
  ) throws(Stop) {
    // Before all else: it may stop for rows.
    try turns.leave(
      row.key, players, isClosing: row.present.allSatisfy { players.contains($0.player) },
      &transaction)
    let owner = row.players.first { $0.role == .owner }?.player
    for player in players {
      if !keepsMatch, matches.leave(matchOf: row.key, player, isForGood: true, &transaction) {
        row.hasPlayed = true
      }
      row.leave(player)
    }
    if row.isClosed { return end(&row, players, &transaction) }
    let heir = row.players.first { $0.role == .owner }?.player
    contexts.keep(&row, for: heir.map { [$0] } ?? [], &transaction)
    for player in players {
      contexts.record(row, in: player, isMember: false, isEntered: false, &transaction)
      guard let state else { continue }
      let event = contexts.change(of: player, in: row, state)
      let told = row.others(than: remover ?? player) + (remover == nil ? [] : [player])
      for other in told {
        contexts.tell(event, to: other, from: remover ?? player, row, &transaction)
      }
    }
    if row.form == .group, let heir, let owner, heir != owner, let state = row.state(of: heir) {
      let event = contexts.change(of: heir, in: row, state)
      for other in row.present {
        contexts.tell(event, to: other.player, from: owner, row, &transaction)
      }
    }
  }

  /// Closes a context that the last players have left.
  private func end(
    _ row: inout ContextRow, _ players: [PlayerID], _ transaction: inout Transaction
  ) {
    answerAll(&row, &transaction)
    matches.forgetFound(row.key, &transaction)
    if row.form == .solo {
      // Nobody can come back to it: its id was made from a call that is answered.
      remove(row, &transaction)
    } else {
      contexts.keep(&row, &transaction)
    }
    let opening: ContextOpening = row.form == .solo ? .isOver : .same
    // Of a pair also the one who has left before hears that it is closed.
    let told = row.form == .pair ? row.players.map(\.player) : players
    for player in told {
      contexts.record(
        row, in: player, isMember: false, isEntered: false, opening: opening, &transaction)
    }
    if row.form == .group || row.form == .matched {
      contexts.forgetLater(row, at: transaction.now + closedLifetime, &transaction)
    }
  }

  /// Those who wait for an answer get none but this one.
  private func answerAll(_ row: inout ContextRow, _ transaction: inout Transaction) {
    var event = ContextRequestAnswered()
    event.context = row.key
    event.generation = row.generation
    for player in row.requests {
      contexts.tell(event, to: player, from: PlayerID(), row, &transaction)
    }
    row.requests = []
  }

  /// The match goes with its context; turn-based games went when it was closed.
  private func remove(_ row: ContextRow, _ transaction: inout Transaction) {
    matches.remove(matchOf: row.key, &transaction)
    contexts.remove(row, &transaction)
  }

  private func forget(_ row: ContextRow, _ transaction: inout Transaction) {
    remove(row, &transaction)
    transaction.cancelTimer(ForgetContext.self, on: row.key)
    guard !row.opener.isNil else { return }
    contexts.record(
      row, in: row.opener, isMember: false, isEntered: false, opening: .isOver, &transaction)
  }
}

extension Call {
  /// Has those of the players leave the context that only stand in for erased ones: they were named
  /// by an effect that was under way.
  func haveLeave(_ players: [PlayerID], _ transaction: inout Transaction) {
    for player in players where standIns.contains(player) {
      transaction.effect(
        LeaveForErased(ContextID(reinterpreting: key), player), on: key, game: game)
    }
  }
}
