import Domain
import Operations
import Wire

/// Players create contexts and come into them.
struct ContextEntrances: CorePart {
  let contexts: Contexts
  let closedPairs: ClosedPairs
  let matches: Matches
  /// How long a matched context in which nothing happens is kept.
  let quietLifetime: Int64

  func register(_ router: inout Router) {
    router.on(CreateSoloContext.self, createSolo)
    router.on(CreatePairContext.self, createPair)
    router.on(SwitchContext.self, switchContext)
    router.on(OpenContext.self, openContext)
  }

  private func createSolo(
    _ operation: CreateSoloContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    let id = ContextID(reinterpreting: call.key)
    if contexts[id] != nil { return try contexts.participant(id, call).info }
    guard try call.fact(FetchOpenedContexts.self).solos < ContextLimits.solosPerPlayerMax else {
      throw .limitReached(
        "context", "You are in \(ContextLimits.solosPerPlayerMax) solo contexts, the most.")
    }
    var row = ContextRow()
    row.key = id
    row.game = call.game
    row.form = .solo
    row.opener = call.player
    row.players = [ContextPlayer(player: call.player, role: .owner, state: .active)]
    row.createdAt = transaction.now
    contexts.keep(&row, entering: call.player, opening: .counts, &transaction)
    return row.info
  }

  private func createPair(
    _ operation: CreatePairContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    let (caller, other) = (call.player, operation.player)
    let (asked, checks) = try reachable(other, call)
    let id = ContextID(reinterpreting: call.key)
    let known = contexts[id]
    if let known {
      guard known.game == call.game, known.form == .pair,
        Set(known.players.map(\.player)) == [caller, other]
      else { throw .refuse(.notFound, "The key is not the one of this pair.") }
    } else {
      try closedPairs.check(call, transaction)
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
        ContextPlayer(player: other, role: .participant, state: .left, isNew: asked.isNew),
      ]
    }
    let hasEntered = isNew || row.state(of: caller) != .active
    row.set(.active, of: caller)
    row.checks = checks
    let isInviting = row.state(of: other) == .left
    if isInviting { row.set(.invited, of: other) }
    contexts.keep(&row, entering: caller, &transaction)
    if isInviting {
      contexts.invite(other, to: row, by: caller, &transaction)
    } else if hasEntered {
      contexts.tell(row, about: caller, .active, &transaction)
    }
    return row.info
  }

  /// The caller's own list may not have heard yet of a block, which holds at once at the other's
  /// key.
  /// When each of the two was asked stands in the row: a block of before was lifted by then.
  private func reachable(_ other: PlayerID, _ call: Call) throws(Stop)
    -> (FetchPlayer.Reply, [BlockCheck])
  {
    guard !other.isNil else { throw .requiredArgument("player", "A player must be named.") }
    guard other != call.player else {
      throw .invalidArgument("player", "A context with oneself is a solo context.")
    }
    let known = try call.fact(FetchFriends.self)
    let asked = try call.fact(FetchPlayer.self, at: other)
    guard known.friends.contains(other), asked.isReachable else {
      throw .refuse(.notReachable, argument: "player", "This player cannot be reached.")
    }
    let checks = [
      BlockCheck(player: call.player, time: known.time),
      BlockCheck(player: other, time: asked.time),
    ]
    return (asked, checks)
  }

  private func openContext(
    _ operation: OpenContext, _ call: Call, _ transaction: inout Transaction
  ) {
    // A context that is there already stays what it is.
    if contexts[operation.context] != nil { return }
    var row = ContextRow()
    row.key = operation.context
    row.game = call.game
    row.form = .matched
    for var player in operation.players where row.state(of: player.player) == nil {
      player.role = row.players.isEmpty ? .owner : .participant
      row.players.append(player)
    }
    row.createdAt = transaction.now
    row.opener = operation.opener
    contexts.keep(&row, opening: .counts, &transaction)
    contexts.forgetLater(row, at: transaction.now + quietLifetime, &transaction)
    call.haveLeave(operation.players.map(\.player), &transaction)
    guard operation.needed > 0 else { return }
    var found = FoundMatchRow()
    found.key = row.key
    found.players = row.players.map(\.player)
    found.needed = operation.needed
    found.tickets = operation.tickets
    for player in found.players where call.standIns.contains(player) {
      found.forgetTicket(of: player)
    }
    found.foundAt = transaction.now
    matches.found.put(found, &transaction)
  }

  private func switchContext(
    _ operation: SwitchContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ContextInfo {
    var row = try contexts.participant(operation.context, call)
    let wasCurrent = try call.fact(FetchCurrentContext.self).context == row.key
    let isApart = try isApart(call, arrivingIn: row)
    let admission = row.admit(call.player, through: .arrival, isApart: isApart)
    if admission == .hidden { throw .noContext }
    contexts.keep(&row, entering: call.player, &transaction)
    if admission != .alreadyIn { contexts.tell(row, about: call.player, .active, &transaction) }
    var info = row.info
    info.wasCurrent = wasCurrent && admission == .alreadyIn
    return info
  }

  /// An invited player must not come to somebody who is there and whom a block keeps apart.
  private func isApart(_ call: Call, arrivingIn row: ContextRow) throws(Stop) -> Bool {
    guard row.state(of: call.player) == .invited else { return false }
    return try call.isCallerApart(from: row.met(by: call.player))
  }
}
