import Operations
import Wire

/// Friends let each other send without a dialog, and take it back.
extension Workload {
  func consent(_ client: SimulatedClient) {
    let friend = schedule.pick(client.feed.all(FriendAccepted.self))?.player ?? other(client)
    switch number(0...9) {
    case 0..<4: client.call(GrantConsent(to: friend))
    case 4..<6:
      client.call(RevokeConsent(friend, isHeld: schedule.isChance(oneIn: 3)))
    default: sendWithoutDialog(client)
    }
  }

  /// To those who have agreed, as far as the client was told, and now and then to another.
  private func sendWithoutDialog(_ client: SimulatedClient) {
    var givers: Set<PlayerID> = []
    for event in client.feed.all(ConsentChanged.self) where event.sender == client.player {
      if event.isGiven { givers.insert(event.recipient) } else { givers.remove(event.recipient) }
    }
    if schedule.isChance(oneIn: 5) { givers.insert(other(client)) }
    var send = SendRequest()
    send.message = "your turn \(number(0...1_000_000)), says \(client.displayName)"
    send.isFrictionless = true
    send.recipients = givers.sorted().prefix(2).map { "\($0)" }
    client.call(send)
  }
}
