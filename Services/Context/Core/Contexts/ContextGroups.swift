import Domain
import Operations
import Wire

/// Groups are created, and change by their owner's will.
struct ContextGroups: CorePart {
  let contexts: Contexts
  let matches: Matches
  let budgets: ContextBudgets

  func register(_ router: inout Router) {
    router.on(CreateGroupContext.self, create)
    router.on(ChangeContextRole.self, changeRole)
    router.on(ChangeContextSettings.self, changeSettings)
    router.on(ReopenContext.self, reopen)
  }

  private func create(
    _ operation: CreateGroupContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> CreateGroupContext.Reply {
    var reply = CreateGroupContext.Reply()
    let id = ContextID(reinterpreting: call.key)
    if contexts[id] != nil {
      reply.info = try contexts.participant(id, call).info
      return reply
    }
    guard Set(operation.players).subtracting([call.player]).count < Int(operation.sizeMax) else {
      throw .limitReached("players", "The group has no room for so many players.")
    }
    guard try call.fact(FetchOpenedContexts.self).groups < ContextLimits.groupsPerPlayerMax else {
      throw .limitReached(
        "context", "You have opened \(ContextLimits.groupsPerPlayerMax) groups, the most.")
    }
    var row = ContextRow()
    row.key = id
    row.game = call.game
    row.form = .group
    row.opener = call.player
    row.name = operation.name.inNormalForm
    row.sizeMax = operation.sizeMax
    row.policy = operation.policy
    row.players = [ContextPlayer(player: call.player, role: .owner, state: .active)]
    row.createdAt = transaction.now
    let invitees = try GroupInvitees(operation.players, of: call)
    reply.outcomes = invitees.admit(to: &row)
    let invited = reply.outcomes.filter { $0.outcome == .invited }.map(\.player)
    try call.checkSender(ofInvitations: invited.count, at: budgets.senderRate, transaction)
    // From here on nothing is refused.
    row.link = transaction.identifier()
    contexts.keep(
      &row, entering: call.player, opening: .counts, invitedCount: invited.count, &transaction)
    for player in invited { contexts.invite(player, to: row, by: call.player, &transaction) }
    reply.info = row.details(for: call.player, match: nil)
    return reply
  }

  private func changeRole(
    _ operation: ChangeContextRole, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    var row = try contexts.group(operation.context, call) { role, _ in role == .owner }
    guard operation.role.isKnown else {
      throw .invalidArgument("role", "There is no such role.")
    }
    guard operation.player != call.player else {
      throw .invalidArgument("player", "An owner's role goes to another player, or stays.")
    }
    guard row.state(of: operation.player) == .active else {
      throw .notFound("player", "This player is not active in the group.")
    }
    if row.role(of: operation.player) != operation.role {
      try budgets.takeChange(of: row, call, &transaction)
      var changed = [operation.player]
      if !GroupRoles.mayModerate(operation.role) {
        row.renewLink(knownTo: operation.player, &transaction)
      }
      row.set(operation.role, of: operation.player)
      if operation.role == .owner {
        row.set(.moderator, of: call.player)
        row.noteOwner(call.player)
        changed.append(call.player)
      }
      contexts.keep(&row, for: changed, &transaction)
      for player in changed {
        let event = contexts.change(of: player, in: row, .active)
        for other in row.others(than: call.player) {
          contexts.tell(event, to: other, from: call.player, row, &transaction)
        }
      }
    }
    return row.details(for: call.player, match: matches.table[row.key])
  }

  private func changeSettings(
    _ operation: ChangeContextSettings, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    var row = try contexts.group(operation.context, call) { role, _ in role == .owner }
    if let sizeMax = operation.sizeMax, Int(sizeMax) < row.present.count {
      throw .invalidArgument("sizeMax", "There are more players in the group, or invited.")
    }
    try budgets.takeChange(of: row, call, &transaction)
    let before = row
    if let name = operation.name { row.name = name.inNormalForm }
    if let sizeMax = operation.sizeMax { row.sizeMax = sizeMax }
    if let policy = operation.policy { row.policy = policy }
    let opensLink = row.policy == .byLink && before.policy != .byLink
    if operation.renewsLink || opensLink { row.link = transaction.identifier() }
    contexts.keep(&row, &transaction)
    if (before.name, before.sizeMax, before.policy) != (row.name, row.sizeMax, row.policy) {
      var event = ContextSettingsChanged()
      event.context = row.key
      event.generation = row.generation
      event.name = row.name
      event.sizeMax = row.sizeMax
      event.policy = row.policy
      for other in row.others(than: call.player) {
        contexts.tell(event, to: other, from: call.player, row, &transaction)
      }
    }
    return row.details(for: call.player, match: matches.table[row.key])
  }

  private func reopen(
    _ operation: ReopenContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    try contexts.check(operation.context)
    guard var row = contexts[operation.context], row.game == call.game, row.form == .group else {
      throw .noContext
    }
    if row.holds(call.player) { throw .conflict("context", "This group is open.") }
    guard row.isClosed, row.formerOwners.contains(call.player),
      !row.removed.contains(call.player)
    else { throw .noContext }
    row.generation += 1
    row.players = [ContextPlayer(player: call.player, role: .owner, state: .active)]
    row.createdAt = transaction.now
    row.hasPlayed = false
    row.link = transaction.identifier()
    transaction.cancelTimer(ForgetContext.self, on: row.key)
    contexts.keep(&row, entering: call.player, &transaction)
    return row.details(for: call.player, match: matches.table[row.key])
  }
}
