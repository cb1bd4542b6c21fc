import Domain
import Operations
import Wire

// Presence is in memory alone, as connections are. A player's friends have been told a state, or
// take the player to be offline. When what is so differs from that, a timer tells them, which ends
// with the process: at once of who has come, after a while of who has gone. What is so again before
// its time has come is told to nobody.

extension RequestCore {
  /// Whether friends see a connection of the player.
  func isShownOnline(_ player: PlayerID) -> Bool {
    subscriptions.isConnected(player) && profiles[player]?.hidesPresence != true
  }

  /// What `other` may know of the player's presence, at whose key the command must run.
  func presence(of player: PlayerID, for other: PlayerID) -> Presence {
    guard edges.state(player, other) == .friends else { return .none }
    return isShownOnline(player) ? .online : .offline
  }

  /// Notes that a player's connections may be others, or what of them is shown.
  ///
  /// - Parameter isAtOnce: where the player wishes it so, who has not gone.
  func lookAtPresence(
    of player: PlayerID, isAtOnce: Bool = false, _ transaction: inout Transaction
  ) {
    let isOnline = isShownOnline(player)
    if isOnline == toldOnline.contains(player) {
      // Back in time: nothing is told.
      transaction.cancelTimer(TellPresence.self, on: player)
    } else if isOnline && transaction.now < startedAt + PresenceLimits.returnMilliseconds {
      toldOnline.insert(player)
    } else {
      let wait = isOnline || isAtOnce ? 0 : PresenceLimits.goneMilliseconds
      transaction.setTimer(
        TellPresence(), on: player, at: transaction.now + wait, isKept: false)
    }
  }

  func tellPresence(_ operation: TellPresence, _ call: Call, _ transaction: inout Transaction) {
    let player = PlayerID(reinterpreting: call.key)
    var isOnline = operation.isOnline
    if operation.after.isNil {
      isOnline = isShownOnline(player)
      if isOnline == toldOnline.contains(player) { return }
      if isOnline { toldOnline.insert(player) } else { toldOnline.remove(player) }
    } else if isOnline != toldOnline.contains(player) {
      // All are being told something newer.
      return
    }
    var event = PresenceChanged()
    event.player = player
    event.presence = isOnline ? .online : .offline
    let friends = edges.friends(of: player, after: operation.after)
    for friend in friends.prefix(PresenceLimits.toldPerStep) {
      transaction.hint(event, to: friend, game: "")
    }
    guard friends.count > PresenceLimits.toldPerStep else { return }
    let last = friends[friends.startIndex + PresenceLimits.toldPerStep - 1]
    // A timer besides the one for what changes meanwhile.
    transaction.setTimer(
      TellPresence(after: last, isOnline: isOnline), on: player,
      item: RoutingKey(high: 0, low: 1), at: transaction.now, isKept: false)
  }

  /// Whether a hint about presence is of a friend: a block holds here from when it was
  /// acknowledged, whatever the other one has heard of it.
  func isOfFriend(_ hint: DeliverHint) -> Bool {
    guard hint.kind == PresenceChanged.opcode.rawValue else { return true }
    guard let event = try? PresenceChanged(decoding: hint.body.array) else { return false }
    return edges.state(hint.player, event.player) == .friends
  }
}
