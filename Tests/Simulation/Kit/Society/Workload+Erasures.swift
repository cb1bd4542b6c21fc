import MusterKit
import Operations
import Wire

/// Players are erased, by themselves and by the operator, and somebody new comes in their place.
extension Workload {
  /// How many players are erased in a seed.
  private static let erasedMax = 2
  /// Between two looks at how an erasure goes on.
  private static let lookMilliseconds: Int64 = 2_000
  private static let firstNewcomer: UInt64 = 201

  var hasRoomForErasure: Bool {
    deployment.options.hasErasures && !isEarly && deployment.doomed.count < Self.erasedMax
  }

  func eraseSomebody() {
    let victims = clients.filter { $0.isReady && $0.streamCount > 0 }
    guard let client = schedule.pick(victims) else { return }
    let player = client.player
    deployment.doomed.insert(player)
    let own = devices.filter { $0.player == player }
    devices.removeAll { $0.player == player }
    leaving += [client] + own
    for device in own { device.comeBack() }
    let newcomer = SimulatedClient(
      Self.firstNewcomer + UInt64(deployment.doomed.count), deployment: deployment)
    clients = clients.map { $0 === client ? newcomer : $0 }
    newcomer.start()
    if schedule.isChance(oneIn: 2) { client.eraseMyself() } else { erase(player) }
    lookLater(player)
  }

  private func erase(_ player: PlayerID, evenIfUnknown: Bool = false) {
    let operation = ErasePlayer(player, evenIfUnknown: evenIfUnknown)
    admin.call(CallBook.Request(operation), within: SimulatedClient.patience) { _ in }
  }

  /// The operator sees to it that it comes about, also where the player's client has died and where
  /// the request service knows the player no more. Who is connected, was told nothing and asks
  /// nothing hears of it when it connects again.
  private func lookLater(_ player: PlayerID) {
    schedule.after(Self.lookMilliseconds) { [self] in
      let own = leaving.filter { $0.player == player && !$0.hasVanished }
      let isErased = deployment.ledger.erasures[player] != nil
      if isErased && own.isEmpty { return }
      if isErased {
        for client in own {
          client.comeBack()
          client.disconnect()
        }
      } else if admin.isReady {
        erase(player, evenIfUnknown: true)
      }
      lookLater(player)
    }
  }

  /// Every client that anybody has used.
  var players: [SimulatedClient] { clients + leaving.filter { $0.device == nil } }

  /// Somebody for a call: now and then somebody who is being erased, or was.
  func otherOrErased(_ client: SimulatedClient) -> PlayerID {
    if !leaving.isEmpty, schedule.isChance(oneIn: 8) {
      let player = schedule.pick(leaving)?.player ?? client.player
      if player != client.player { return player }
    }
    return other(client)
  }
}
