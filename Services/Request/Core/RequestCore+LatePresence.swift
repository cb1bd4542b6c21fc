import Domain
import Operations
import Wire

// A player with hundreds of friends hears of all of them when they come back at once, as after the
// end of a gateway. A budget bounds what that costs the player's connections. What is over it
// comes later: of each friend the last state, and so no more than one hint for each. It is in
// memory alone, like all of presence, and ends with the player's last connection: whoever connects
// reads the truth.

/// What connected players have still to be told of their friends.
struct LatePresence {
  private struct Line {
    /// The friends, who has waited longest first.
    var order: [PlayerID] = []
    var events: [PlayerID: PresenceChanged] = [:]
  }
  private var lines: [PlayerID: Line] = [:]

  func isWaiting(_ player: PlayerID) -> Bool { lines[player] != nil }

  /// Takes the place of what waits about the same friend.
  mutating func put(_ event: PresenceChanged, for player: PlayerID) {
    if lines[player, default: Line()].events.updateValue(event, forKey: event.player) == nil {
      lines[player]?.order.append(event.player)
    }
  }

  /// Removes what waits for a player, for as long as `takes` returns true.
  mutating func takeAll(for player: PlayerID, while takes: (PresenceChanged) -> Bool) {
    guard var line = lines[player] else { return }
    let taken = line.order.prefix { friend in line.events[friend].map(takes) ?? true }
    for friend in taken { line.events[friend] = nil }
    line.order.removeFirst(taken.count)
    lines[player] = line.order.isEmpty ? nil : line
  }

  mutating func forget(_ player: PlayerID) { lines[player] = nil }
}

extension RequestCore {
  /// Tells a connected player of a friend's presence, at once where there is room.
  func deliver(
    _ event: PresenceChanged, to player: PlayerID, _ channels: [Channel],
    _ transaction: inout Transaction
  ) {
    if latePresence.isWaiting(player) {
      latePresence.put(event, for: player)
    } else if hintBudgets.take(.presenceHints, of: player, &transaction) == nil {
      push(event, to: channels, &transaction)
    } else {
      latePresence.put(event, for: player)
      setLateTimer(of: player, &transaction)
    }
  }

  func tellLatePresence(
    _ operation: TellLatePresence, _ call: Call, _ transaction: inout Transaction
  ) {
    let player = PlayerID(reinterpreting: call.key)
    let channels = subscriptions.channels(of: player, game: "")
    if channels.isEmpty { return latePresence.forget(player) }
    latePresence.takeAll(for: player) { event in
      // They may have parted meanwhile.
      guard edges.state(player, event.player) == .friends else { return true }
      let hasRoom = hintBudgets.take(.presenceHints, of: player, &transaction) == nil
      if hasRoom { push(event, to: channels, &transaction) }
      return hasRoom
    }
    if latePresence.isWaiting(player) { setLateTimer(of: player, &transaction) }
  }

  private func setLateTimer(of player: PlayerID, _ transaction: inout Transaction) {
    transaction.setTimer(
      TellLatePresence(), on: player, at: transaction.now + PresenceLimits.lateMilliseconds,
      isKept: false)
  }

  private func push(
    _ event: PresenceChanged, to channels: [Channel], _ transaction: inout Transaction
  ) {
    var hint = HintEvent()
    (hint.kind, hint.body) = (PresenceChanged.opcode.rawValue, Bytes(event.encoded))
    for channel in channels { transaction.push(hint, to: channel) }
  }
}
