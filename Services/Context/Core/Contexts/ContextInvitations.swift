import Domain
import Operations
import Wire

/// Players come into groups: by invitation, by their own will, by an answered request.
struct ContextInvitations: CorePart {
  let contexts: Contexts
  let matches: Matches
  let budgets: ContextBudgets

  func register(_ router: inout Router) {
    router.on(JoinContext.self, join)
    router.on(InviteToContext.self, invite)
    router.on(AnswerContextRequest.self, answerRequest)
  }

  private func join(_ operation: JoinContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    try contexts.check(operation.context)
    guard var row = contexts[operation.context], row.game == call.game else {
      throw try hidden(call)
    }
    let isIn = row.state(of: call.player) == .active
    // Who cannot come in is not told so by a question to those who are in it.
    guard isIn || isVisible(row, operation, call) else { throw try hidden(call) }
    let isApart = try isIn ? false : call.isCallerApart(from: row.met(by: call.player))
    let admission = row.admit(call.player, through: .joining(operation.link), isApart: isApart)
    switch admission {
    case .hidden, .removed: throw .noContext
    case .full: throw .groupIsFull
    case .manyRequests:
      throw .limitReached("context", "Many players wait for an answer of this group.")
    case .waits(let isNew):
      if isNew { try note(request: row, call, &transaction) }
      return waiting(call.player, in: row)
    case .admitted:
      try budgets.takeChange(of: row, call, &transaction)
      contexts.keep(&row, entering: call.player, for: [call.player], &transaction)
      contexts.tell(row, about: call.player, .active, &transaction)
    case .alreadyIn: contexts.keep(&row, entering: call.player, &transaction)
    }
    return row.info
  }

  /// Looks at what needs no facts, on a copy.
  private func isVisible(_ row: ContextRow, _ operation: JoinContext, _ call: Call) -> Bool {
    var copy = row
    return copy.admit(call.player, through: .joining(operation.link), isApart: false) != .hidden
  }

  /// Refuses what is not there for the caller after as many questions and answers as a block takes,
  /// so that the time does not tell the two apart.
  private func hidden(_ call: Call) throws(Stop) -> Stop {
    _ = try call.isCallerApart(from: [call.player])
    return .noContext
  }

  private func note(request row: ContextRow, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    if let wait = budgets.take(1, .requests, of: row, call, &transaction) {
      throw .rateLimited("You have asked this group often.", wait)
    }
    var row = row
    contexts.keep(&row, isActivity: false, &transaction)
    var event = ContextJoinRequested()
    event.context = row.key
    event.generation = row.generation
    event.player = call.player
    for other in row.present where GroupRoles.mayModerate(other.role) {
      contexts.tell(
        event, to: other.player, from: call.player, unlessBlocked: true, row, &transaction)
    }
  }

  /// Whoever waits learns the group's name and size, and nobody in it.
  private func waiting(_ player: PlayerID, in row: ContextRow) -> ContextInfo {
    var info = row.info.forOutsiders
    info.players = [ContextPlayer(player: player, role: .participant, state: .requested)]
    return info
  }

  private func invite(_ operation: InviteToContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> InviteToContext.Reply
  {
    var row = try contexts.group(operation.context, call) { role, row in
      GroupRoles.mayInvite(role, under: row.policy)
    }
    let invitees = try GroupInvitees(operation.players, of: call)
    var reply = InviteToContext.Reply()
    reply.outcomes = invitees.admit(to: &row)
    let invited = reply.outcomes.filter { $0.outcome == .invited }.map(\.player)
    try call.checkSender(ofInvitations: invited.count, at: budgets.senderRate, transaction)
    if !invited.isEmpty,
      let wait = budgets.take(invited.count, .invitations, of: row, call, &transaction)
    {
      throw .rateLimited("You have invited many players to this group.", wait)
    }
    if !invited.isEmpty {
      contexts.keep(&row, for: invited, &transaction)
      contexts.record(
        row, in: call.player, isMember: true, isEntered: false,
        invitedCount: invited.count, &transaction)
      for player in invited { contexts.invite(player, to: row, by: call.player, &transaction) }
      tellOthers(of: invited, in: row, but: call.player, &transaction)
    }
    reply.info = row.details(for: call.player, match: matches.table[row.key])
    return reply
  }

  /// Tells those who were in the group before who is invited now.
  private func tellOthers(
    of invited: [PlayerID], in row: ContextRow, but inviter: PlayerID,
    _ transaction: inout Transaction
  ) {
    let others = row.others(than: inviter).filter { !invited.contains($0) }
    for player in invited {
      let event = contexts.change(of: player, in: row, .invited)
      for other in others { contexts.tell(event, to: other, from: inviter, row, &transaction) }
    }
  }

  private func answerRequest(
    _ operation: AnswerContextRequest, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    var row = try contexts.group(operation.context, call) { role, _ in
      GroupRoles.mayModerate(role)
    }
    let player = operation.player
    guard row.requests.contains(player) else { throw .noRequest }
    if operation.accept {
      try accept(player, &row, call)
      contexts.keep(&row, for: [player], &transaction)
      tellOthers(of: [player], in: row, but: call.player, &transaction)
    } else {
      row.requests.removeAll { $0 == player }
      contexts.keep(&row, isActivity: false, &transaction)
    }
    var event = ContextRequestAnswered()
    event.context = row.key
    event.generation = row.generation
    event.isAccepted = operation.accept
    contexts.tell(event, to: player, from: call.player, unlessBlocked: true, row, &transaction)
    return row.details(for: call.player, match: matches.table[row.key])
  }

  /// Who is let in is invited by whoever lets the player in. Blocks are asked for when the player
  /// arrives: an answer now would tell the moderator who is kept apart from whom.
  private func accept(_ player: PlayerID, _ row: inout ContextRow, _ call: Call) throws(Stop) {
    let asked = try call.fact(FetchPlayer.self, at: player)
    let own = try call.fact(FetchPlayer.self, at: call.player)
    switch row.admit(player, isNew: asked.isNew, through: .acceptedRequest, isApart: false) {
    case .full: throw .groupIsFull
    case .admitted: break
    default: throw .noRequest
    }
    // The list of a player who blocks the moderator takes the player out again.
    row.checks.append(
      BlockCheck(
        player: player, time: asked.isReachable ? asked.time : 0, inviter: call.player,
        inviterTime: own.time))
  }
}

extension Stop {
  static var groupIsFull: Stop { .limitReached("context", "There is no room in this group.") }
  static var noRequest: Stop {
    .notFound("player", "This player does not ask to be let in.")
  }
}
