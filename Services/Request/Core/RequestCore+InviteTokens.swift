package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let inviteTokenLifetime = NumberSetting(
    "invite-token-lifetime-days", .days, default: 60, 1...3650,
    "How long an invite token can be claimed.")
  static let inviteTokenBurst = NumberSetting(
    "invite-token-burst", .count, default: 60, InviteTokenLimits.createdMax...1_000_000,
    "Invite tokens that one player may make in a row.")
  static let inviteTokenRefill = NumberSetting(
    "invite-token-refill-seconds", .seconds, default: 60, 1...86_400,
    "How long after a burst of invite tokens a player may make one more.")
}

// All that is known of a token is at its sender's key, which its text names: so who claims it first
// is decided there, in one command, and no news of a token are ever under way.

extension RequestCore {
  func createInviteTokens(
    _ operation: CreateInviteTokens, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> CreateInviteTokens.Reply {
    let caller = try caller(call).key
    let count = Int(operation.count)
    if inviteTokens.openCount(of: caller) + count > InviteTokenLimits.openMax {
      throw .limitReached(
        "count", "You may have \(InviteTokenLimits.openMax) invite tokens that can be claimed.")
    }
    if let wait = budgets.take(.inviteTokens, count: count, of: caller, &transaction) {
      throw .rateLimited("You have made many invite tokens.", wait)
    }
    var reply = CreateInviteTokens.Reply()
    for _ in 0..<count {
      let key = InviteTokenKey(player: caller, token: transaction.identifier())
      let row = InviteTokenRow(key: key, game: call.game, created: transaction.now)
      inviteTokens.add(row, &transaction)
      reply.tokens.append(inviteTokens.info(row, now: transaction.now))
    }
    return reply
  }

  func listInviteTokens(
    _ operation: ListInviteTokens, _ call: Call, _ transaction: inout Transaction
  ) -> ListInviteTokens.Reply {
    var reply = ListInviteTokens.Reply()
    reply.tokens = inviteTokens.rows(of: call.player, in: call.game)
      .map { inviteTokens.info($0, now: transaction.now) }
    return reply
  }

  func revokeInviteToken(
    _ operation: RevokeInviteToken, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let caller = try caller(call).key
    guard let row = inviteToken(operation.token, of: caller, call) else { throw .noInviteToken }
    switch inviteTokens.state(of: row, now: transaction.now) {
    case .claimed: throw .refuse(.alreadyExists, argument: "token", "It was claimed already.")
    case .open: try end(row, as: .revoked, &transaction)
    default: break
    }
  }

  /// The sender's token with a text; nil where there is none in the call's game.
  private func inviteToken(_ text: String, of sender: PlayerID, _ call: Call) -> InviteTokenRow? {
    guard let token = InviteToken(text), token.sender == sender,
      let row = inviteTokens[InviteTokenKey(player: sender, token: token.id)],
      row.game == call.game
    else { return nil }
    return row
  }

  /// Lets a request wait for whoever claims a token.
  func send(
    _ request: ReceivedRequest, toToken text: String, wantsReceipt: Bool, _ call: Call,
    _ transaction: inout Transaction
  ) -> DeliveryOutcome {
    guard var row = inviteToken(text, of: request.sender, call) else { return .notReachable }
    if inviteTokens.state(of: row, now: transaction.now) != .open { return .expiredToken }
    if row.requestCount >= InviteTokenLimits.requestsMax { return .limitReached }
    let key = TokenRequestKey(token: row.key, number: row.requestCount)
    transaction.put(TokenRequestRow(key: key, request: request, wantsReceipt: wantsReceipt))
    row.requestCount += 1
    inviteTokens.put(row, &transaction)
    return .queued
  }

  /// Whoever is behind a block asks as many questions as whoever has a token that never was.
  func claimInviteToken(
    _ operation: ClaimInviteToken, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ClaimInviteToken.Reply {
    if operation.sender == call.player {
      throw .invalidArgument("sender", "Your own invite tokens are for others.")
    }
    let blocked = try call.fact(FetchBlocks.self).blocked
    let key = InviteTokenKey(player: operation.sender, token: operation.token)
    guard let sender = players[operation.sender], let row = inviteTokens[key],
      row.game == call.game, !blocked.contains(sender.key),
      edges.state(sender.key, call.player) != .blocked
    else { throw .noInviteToken }
    var reply = ClaimInviteToken.Reply()
    (reply.displayName, reply.requestCount) = (sender.displayName, row.requestCount)
    reply.sender = sender.key
    switch inviteTokens.state(of: row, now: transaction.now) {
    case .open: break
    case .claimed:
      // Whoever asks again may not have got the answer.
      if row.claimant == call.player { return reply }
      throw .refuse(.alreadyExists, argument: "token", "This invite token was used already.")
    case .revoked: throw .conflict("token", "This invite token was revoked.")
    default: throw .refuse(.notOpen, argument: "token", "This invite token has expired.")
    }
    let requests = try takeRequests(of: row, &transaction)
    inviteTokens.end(row, as: .claimed, by: call.player, &transaction)
    for waiting in requests {
      var delivery = DeliverRequest()
      (delivery.player, delivery.request) = (call.player, waiting.request)
      (delivery.isInvited, delivery.wantsReceipt) = (true, waiting.wantsReceipt)
      transaction.effect(delivery, on: call.player, game: call.game)
    }
    var event = InviteTokenClaimed()
    (event.token, event.player) = (key.text, call.player)
    append(event, to: sender.key, from: call.player, game: call.game, &transaction)
    return reply
  }

  func expireInviteToken(
    _ operation: ExpireInviteToken, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let player = PlayerID(reinterpreting: call.key)
    let key = InviteTokenKey(player: player, token: operation.token)
    guard let row = inviteTokens[key] else { return }
    if inviteTokens.due(of: row) > transaction.now {
      // The lifetime was raised since the timer was set.
      inviteTokens.setTimer(of: row, &transaction)
    } else if row.state == .open {
      try end(row, as: .expired, &transaction)
    } else {
      inviteTokens.forget(row, &transaction)
    }
  }

  /// Ends a token that nobody has claimed, and drops the requests that wait for it.
  private func end(
    _ row: InviteTokenRow, as state: InviteTokenState, _ transaction: inout Transaction
  ) throws(Stop) {
    let requests = try takeRequests(of: row, &transaction)
    inviteTokens.end(row, as: state, &transaction)
    for waiting in requests {
      var event = RequestDropped()
      event.request = waiting.request.request
      event.outcome = .expiredToken
      event.token = row.key.text
      append(event, to: row.key.player, from: row.key.player, game: row.game, &transaction)
    }
  }

  /// Removes the requests that wait for a token, and returns them.
  private func takeRequests(of row: InviteTokenRow, _ transaction: inout Transaction)
    throws(Stop) -> [TokenRequestRow]
  {
    if row.requestCount == 0 { return [] }
    let range = ColdRange(
      table: TokenRequestRow.tableID, from: row.key.keyBytes, through: row.key.keyBytes,
      limit: InviteTokenLimits.requestsMax)
    let requests = try transaction.rows(TokenRequestRow.self, in: range)
    for request in requests { transaction.remove(TokenRequestRow.self, request.key) }
    return requests
  }
}

extension Stop {
  /// Unknown tokens, those of others and those behind a block are refused in the same words.
  fileprivate static var noInviteToken: Stop {
    .notFound("token", "There is no such invite token.")
  }
}
