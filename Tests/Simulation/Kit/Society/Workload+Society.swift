import Operations
import ServiceKit
import Wire

/// What the players of a society know of each other, as players do who talk to each other.
struct Society {
  /// All invite tokens, in the order in which they were made.
  var tokens: [InviteToken] = []
  /// Who has a further device, or is about to.
  var owners: Set<PlayerID> = []
  /// About the identities that several players have proofs of, in the order in which they began.
  var acts: [IdentityAct] = []
  /// Who may be banned.
  var banned: Set<PlayerID> = []
  /// Requests that anybody has sent.
  var requests: [RequestID] = []
}

/// Societies: players become friends and fall out, send each other requests, invite others by
/// tokens, and answer or do not.
extension Workload {
  func socialize(_ client: SimulatedClient) {
    if client.device != nil { return useDevice(client) }
    if deployment.options.hasLateBlocks, !isEarly, schedule.isChance(oneIn: 16) {
      return blockLate(client)
    }
    if hasRoomForErasure, schedule.isChance(oneIn: 30) { return eraseSomebody() }
    if deployment.options.isChatty, !isEarly, schedule.isChance(oneIn: 6) { return chat(client) }
    switch isEarly ? number(0...16) : number(0...99) {
    case 0..<12: befriend(client)
    case 12..<16: fallOut(client)
    case 16..<32: sendToMany(client)
    case 32..<50: endRequest(client)
    case 50..<55: makeTokens(client)
    case 55..<65: claimToken(client)
    case 65..<69: revokeToken(client)
    case 69..<74: addDevice(client)
    case 74..<85: consent(client)
    case 85..<93: useIdentity(client)
    case 93..<95: banSomebody()
    default: acknowledge(client)
    }
  }

  /// Not for long: most blocks are taken back.
  private func fallOut(_ client: SimulatedClient) {
    switch number(0...9) {
    case 0..<4:
      var block = BlockPlayer()
      block.player = otherOrErased(client)
      client.call(block)
    case 4..<8:
      var unblock = UnblockPlayer()
      unblock.player = client.blocks.all.randomElement(using: &schedule.random) ?? other(client)
      client.call(unblock)
    default:
      var remove = RemoveFriend()
      remove.player = otherOrErased(client)
      client.call(remove)
    }
  }

  /// Blocks a friend as the friend's process dies. When that is back, it tells all friends anew who
  /// is there, and may hear of the block only afterwards.
  private func blockLate(_ client: SimulatedClient) {
    let accepted = client.feed.all(FriendAccepted.self).map(\.player)
    var block = BlockPlayer()
    block.player = schedule.pick(accepted) ?? other(client)
    client.call(block)
    let (own, others) = (owner(of: client.player), owner(of: block.player))
    if deployment.network.isTroubled, own != others { deployment.crash(others) }
  }

  private func owner(of player: PlayerID) -> Peers.Address {
    deployment.address(.request, key: RoutingKey(reinterpreting: player))
  }

  private func ownTokens(_ client: SimulatedClient) -> [InviteToken] {
    society.tokens.filter { $0.sender == client.player }
  }

  // MARK: Requests

  private func sendToMany(_ client: SimulatedClient) {
    var send = SendRequest()
    send.message = "come and play \(number(0...1_000_000)), says \(client.displayName)"
    if schedule.isChance(oneIn: 3) {
      (send.actionType, send.objectID) = (.askFor, "life")
      send.data = "level \(number(1...9))"
    }
    send.wantsReceipts = schedule.isChance(oneIn: 2)
    for _ in 0..<number(1...4) {
      if schedule.isChance(oneIn: 4), let token = schedule.pick(ownTokens(client).suffix(4)) {
        send.recipients.append("\(token)")
      } else {
        send.recipients.append("\(otherOrErased(client))")
      }
    }
    client.call(send) { [self] result in
      if case .success(let reply) = result { society.requests.append(reply.request) }
    }
  }

  /// Accepts, declines or deletes a request, mostly one of the newest, now and then one of
  /// somebody else's.
  func endRequest(_ client: SimulatedClient) {
    let own = client.feed.all(RequestReceived.self).map(\.request.request).suffix(6)
    let pool = schedule.isChance(oneIn: 12) ? society.requests : Array(own)
    guard let request = schedule.pick(pool) else { return sendToMany(client) }
    if schedule.isChance(oneIn: 4) {
      var delete = DeleteRequest()
      delete.request = request
      client.call(delete)
    } else {
      var answer = AnswerRequest()
      answer.request = request
      answer.accept = schedule.isChance(oneIn: 2)
      client.call(answer)
    }
  }

  // MARK: Tokens

  private func makeTokens(_ client: SimulatedClient) {
    client.call(CreateInviteTokens(count: UInt8(number(1...2)))) { [self] result in
      guard case .success(let reply) = result else { return }
      society.tokens += reply.tokens.compactMap { InviteToken($0.token) }
    }
  }

  private func claimToken(_ client: SimulatedClient) {
    let recent = schedule.isChance(oneIn: 4) ? society.tokens : society.tokens.suffix(6)
    guard let token = schedule.pick(recent) else { return makeTokens(client) }
    client.call(ClaimInviteToken(token))
  }

  private func revokeToken(_ client: SimulatedClient) {
    guard let token = schedule.pick(ownTokens(client).suffix(3)) else { return makeTokens(client) }
    var revoke = RevokeInviteToken()
    revoke.token = "\(token)"
    client.call(revoke)
  }
}
