import Operations
import Wire

/// Further devices of players: they come and go, and each acknowledges for itself.
extension Workload {
  /// How many players have a second device.
  private static let ownersMax = 2

  /// Links an identity, and signs up another device with it.
  func addDevice(_ client: SimulatedClient) {
    let owners = clients.prefix(Self.ownersMax)
    guard owners.contains(where: { $0 === client }),
      society.owners.insert(client.player).inserted
    else { return acknowledge(client) }
    let subject = "own-\(client.player)"
    var link = LinkIdentity()
    link.proof = client.proof(of: subject)
    client.call(link) { [self] result in
      guard case .success = result else {
        society.owners.remove(client.player)
        return
      }
      if deployment.doomed.contains(client.player) { return }
      // Of such a number that it follows the stream with the library's machines.
      let device = SimulatedClient(
        500 + 3 * UInt64(devices.count), besides: client, deployment: deployment)
      device.device?.subject = subject
      devices.append(device)
      device.start()
    }
  }

  func useDevice(_ device: SimulatedClient) {
    switch number(0...9) {
    case 0..<3: device.goAway()
    case 3..<5: endRequest(device)
    case 5: schedule.pick(devices).map(recall)
    default: acknowledge(device)
    }
  }

  /// A device is switched on again.
  func recall(_ device: SimulatedClient) {
    guard device.isAway else { return }
    deployment.count(.devicesCameBack)
    device.comeBack()
  }

  /// Causes many events for those who have a second device.
  func chat(_ client: SimulatedClient) {
    let owner = clients[Int(number(0...Int64(Self.ownersMax - 1)))]
    if client === owner {
      let friend = schedule.pick(client.feed.all(FriendAccepted.self))?.player
      sendRequests(client, friend ?? other(client), times: number(8...16))
    } else {
      // Nobody knows a player who is not there yet.
      let player = owner.hasSignedIn ? owner.player : other(client)
      inviteAgain(client, player, times: number(8...16))
    }
  }
}
