package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let contextInvitationBurst = NumberSetting(
    "context-invitation-burst", .count, default: 100, 20...1_000_000,
    "Players whom one player may invite to one group in a row.")
  package static let contextInvitationRefill = NumberSetting(
    "context-invitation-refill-seconds", .seconds, default: 36, 1...86_400,
    "How long after a burst of invitations to a group a player may send one more.")
  package static let contextRequestBurst = NumberSetting(
    "context-request-burst", .count, default: 5, 1...1_000_000,
    "How often in a row a player may ask to be let into one group.")
  package static let contextRequestRefill = NumberSetting(
    "context-request-refill-seconds", .seconds, default: 720, 1...86_400,
    "How long after so many requests a player may ask once more.")
}

/// Players come into groups: by invitation, by their own will, by an answered request.
final class ContextInvitations: CorePart {
  let contexts: Contexts
  let matches: Matches
  private let rates: [ContextBudgetKey.Kind: TokenBucket.Rate]
  private var budgets = KeyedBudgetRows<ContextBudgetRow>()

  init(contexts: Contexts, matches: Matches, settings: SettingValues) {
    self.contexts = contexts
    self.matches = matches
    rates = [
      .invitations: settings.rate(.contextInvitationBurst, refill: .contextInvitationRefill),
      .requests: settings.rate(.contextRequestBurst, refill: .contextRequestRefill),
    ]
  }

  func register(_ router: inout Router) {
    router.on(JoinContext.self, join)
    router.on(InviteToContext.self, invite)
    router.on(AnswerContextRequest.self, answerRequest)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ContextBudgetRow.self) { self.budgets.load($0) }
  }

  private func join(_ operation: JoinContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    try contexts.check(operation.context)
    guard var row = contexts[operation.context], row.game == call.game else { throw .noContext }
    let isIn = row.state(of: call.player) == .active
    // Who cannot come in is not told so by a question to those who are in it.
    if !isIn { try checkPolicy(operation, row, call) }
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
      contexts.keep(&row, entering: call.player, for: [call.player], &transaction)
      contexts.tell(row, about: call.player, .active, &transaction)
    case .alreadyIn: contexts.keep(&row, entering: call.player, &transaction)
    }
    return row.info
  }

  /// Looks at what needs no facts, on a copy.
  private func checkPolicy(_ operation: JoinContext, _ row: ContextRow, _ call: Call)
    throws(Stop)
  {
    var copy = row
    if copy.admit(call.player, through: .joining(operation.link), isApart: false) == .hidden {
      throw .noContext
    }
  }

  private func note(request row: ContextRow, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    if let wait = take(1, .requests, row, call, &transaction) {
      throw .rateLimited("You have asked this group often.", wait)
    }
    var row = row
    contexts.keep(&row, isActivity: false, &transaction)
    var event = ContextJoinRequested()
    event.context = row.key
    event.generation = row.generation
    event.player = call.player
    for other in row.present where GroupRoles.mayModerate(other.role) {
      contexts.tell(event, to: other.player, from: call.player, row, &transaction)
    }
  }

  /// Whoever waits learns the group's name and size, and nobody in it.
  private func waiting(_ player: PlayerID, in row: ContextRow) -> ContextInfo {
    var info = row.info
    info.players = [ContextPlayer(player: player, role: .participant, state: .requested)]
    return info
  }

  private func invite(_ operation: InviteToContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> InviteToContext.Reply
  {
    var row = try contexts.group(operation.context, call) { role, row in
      GroupRoles.mayInvite(role, under: row.policy)
    }
    let invitees = try GroupInvitees(operation.players, of: call, to: row)
    var reply = InviteToContext.Reply()
    reply.outcomes = invitees.admit(to: &row)
    let invited = reply.outcomes.filter { $0.outcome == .invited }.map(\.player)
    if !invited.isEmpty, let wait = take(invited.count, .invitations, row, call, &transaction) {
      throw .rateLimited("You have invited many players to this group.", wait)
    }
    if !invited.isEmpty {
      contexts.keep(&row, for: invited, &transaction)
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
    contexts.tell(event, to: player, from: call.player, row, &transaction)
    return row.details(for: call.player, match: matches.table[row.key])
  }

  private func accept(_ player: PlayerID, _ row: inout ContextRow, _ call: Call) throws(Stop) {
    let others = row.present.map(\.player)
    let asked = try call.fact(FetchPlayer.self, at: player)
    let isApart = try call.isApart(player, from: others) || !asked.isReachable
    switch row.admit(player, isNew: asked.isNew, through: .acceptedRequest, isApart: isApart) {
    case .full: throw .groupIsFull
    case .admitted: break
    default: throw .noRequest
    }
  }

  private func take(
    _ count: Int, _ kind: ContextBudgetKey.Kind, _ row: ContextRow, _ call: Call,
    _ transaction: inout Transaction
  ) -> UInt32? {
    let key = ContextBudgetKey(context: row.key, player: call.player, kind: kind.rawValue)
    let rate = rates[kind] ?? TokenBucket.Rate(perSecond: 1)
    return budgets.take(count, of: key, at: rate, &transaction)
  }
}

extension Stop {
  static var groupIsFull: Stop { .limitReached("context", "There is no room in this group.") }
  static var noRequest: Stop {
    .notFound("player", "This player does not ask to be let in.")
  }
}
