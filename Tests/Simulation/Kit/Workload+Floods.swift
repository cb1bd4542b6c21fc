import Operations
import Wire

/// Floods: one player causes many events for another, more than may be unread. That must cost
/// nobody else's events.
extension Workload {
  func flood(_ client: SimulatedClient) {
    // Most are for one player, who acknowledges now and then, so that old events are removed.
    let victim = clients[0]
    if client === victim { return acknowledgeSome(client) }
    let friend = schedule.pick(client.feed.all(FriendAccepted.self))?.player
    let player =
      schedule.isChance(oneIn: 3) || !victim.hasSignedIn ? friend ?? other(client) : victim.player
    switch number(0...9) {
    case 0..<2: acknowledgeSome(client)
    case 2: inviteAgain(client, other(client), times: number(6...16))
    case 3..<5: sendRequests(client, player, times: number(6...14))
    default: enterAgain(client, player, times: number(4...10))
    }
  }

  /// So that some of a sender's events are read and some are not.
  private func acknowledgeSome(_ client: SimulatedClient) {
    guard client.feed.through > 0 else { return }
    var acknowledge = Acknowledge()
    acknowledge.through = UInt64(number(1...Int64(client.feed.through)))
    client.call(acknowledge)
  }

  /// Enters and leaves the context of a pair. The other is told of each.
  private func enterAgain(_ client: SimulatedClient, _ player: PlayerID, times: Int64) {
    if times == 0 || mayBlock(client.player, player) { return }
    var create = CreatePairContext()
    create.player = player
    client.call(create) { [self] result in
      switch result {
      case .success(let info):
        leaveContext(info.context, client) {
          self.enterAgain(client, player, times: times - 1)
        }
      case .failure(let failure) where failure.code == .notReachable:
        var invite = InviteFriend()
        invite.player = player
        client.call(invite)
      case .failure: break
      }
    }
  }

  func sendRequests(_ client: SimulatedClient, _ player: PlayerID, times: Int64) {
    if times == 0 { return }
    var send = SendRequest()
    send.message = "come now"
    send.recipients = ["\(player)"]
    client.call(send) { [self] result in
      if case .success = result { sendRequests(client, player, times: times - 1) }
    }
  }

  /// Invites a player and takes that back. The other is told of each invitation, in no game.
  func inviteAgain(_ client: SimulatedClient, _ player: PlayerID, times: Int64) {
    var invite = InviteFriend()
    invite.player = player
    client.call(invite) { [self] result in
      guard case .success = result, times > 1 else { return }
      var remove = RemoveFriend()
      remove.player = player
      client.call(remove) { [self] _ in inviteAgain(client, player, times: times - 1) }
    }
  }
}
