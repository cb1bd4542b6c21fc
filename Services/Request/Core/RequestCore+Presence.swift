import Domain
import Operations
import Wire

// Presence is in memory alone, as connections are. A player's friends have been told a state, or
// take the player to be offline. When what is so differs from that, a timer tells them, which ends
// with the process: at once of who has come, after a while of who has gone. What is so again before
// its time has come is told to nobody, and nobody is told of one player more often than once in a
// while: the last state wins.
//
// A friend is told by a hint, which is lost where too many are under way. So the steps of all
// players of a process share one pace: each takes the next free moment when its turn is known.

/// The moments at which friends are told, of all players of a process.
struct PresencePace {
  /// When the next hint may leave, in microseconds since 1970.
  private var free: Int64 = 0

  /// Returns when so many hints may leave, in milliseconds since 1970, and keeps that time for
  /// them.
  mutating func take(_ count: Int, now: Int64) -> Int64 {
    let start = max(free, now * 1000)
    free = start + Int64(count) * (1_000_000 / PresenceLimits.hintsPerSecond)
    return (start + 999) / 1000
  }
}

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
    } else {
      let wait = isOnline || isAtOnce ? 0 : PresenceLimits.goneMilliseconds
      transaction.setTimer(
        TellPresence(), on: player, at: transaction.now + wait, isKept: false)
    }
  }

  func tellPresence(_ operation: TellPresence, _ call: Call, _ transaction: inout Transaction) {
    let player = PlayerID(reinterpreting: call.key)
    if !operation.friend.isNil {
      tellPresence(of: player, to: operation.friend, &transaction)
    } else if !operation.isStep {
      beginToTell(of: player, &transaction)
    } else if operation.isOnline == toldOnline.contains(player) {
      // Otherwise all are being told something newer.
      tellNext(operation, of: player, &transaction)
    }
  }

  private func beginToTell(of player: PlayerID, _ transaction: inout Transaction) {
    let isOnline = isShownOnline(player)
    if isOnline == toldOnline.contains(player) { return }
    let friends = edges.friends(of: player)
    if !friends.isEmpty, let wait = hintBudgets.take(.toldPresence, of: player, &transaction) {
      transaction.setTimer(
        TellPresence(), on: player, at: transaction.now + Int64(wait), isKept: false)
      return
    }
    if isOnline { toldOnline.insert(player) } else { toldOnline.remove(player) }
    setStep(
      TellPresence(after: PlayerID(), isOnline: isOnline), friends.count, of: player, &transaction)
  }

  private func tellNext(
    _ operation: TellPresence, of player: PlayerID, _ transaction: inout Transaction
  ) {
    let friends = edges.friends(of: player, after: operation.after)
    let told = friends.prefix(PresenceLimits.toldPerStep)
    guard let last = told.last else { return }
    for friend in told {
      transaction.hint(
        PresenceChanged(player, isOnline: operation.isOnline), to: friend, game: "")
    }
    setStep(
      TellPresence(after: last, isOnline: operation.isOnline), friends.count - told.count,
      of: player, &transaction)
  }

  /// Has the next friends told when it is their turn; a timer besides the one for what changes
  /// meanwhile.
  private func setStep(
    _ step: TellPresence, _ count: Int, of player: PlayerID, _ transaction: inout Transaction
  ) {
    if count == 0 { return }
    let time = presencePace.take(min(count, PresenceLimits.toldPerStep), now: transaction.now)
    transaction.setTimer(
      step, on: player, item: RoutingKey(high: .max, low: .max), at: time, isKept: false)
  }

  /// Two have become friends, as this side knows: the other is told when both sides do.
  func friendshipBegan(
    _ player: PlayerID, with friend: PlayerID, _ transaction: inout Transaction
  ) {
    transaction.setTimer(
      TellPresence(to: friend), on: player, item: RoutingKey(reinterpreting: friend),
      at: transaction.now + PresenceLimits.newFriendMilliseconds, isKept: false)
  }

  private func tellPresence(
    of player: PlayerID, to friend: PlayerID, _ transaction: inout Transaction
  ) {
    guard edges.state(player, friend) == .friends else { return }
    transaction.hint(
      PresenceChanged(player, isOnline: isShownOnline(player)), to: friend, game: "")
  }

  /// Returns what a hint says of a friend's presence; nil when it is of nobody whom the receiver
  /// has as a friend: a block holds here from when it was acknowledged, whatever the other one has
  /// heard of it.
  func presence(in hint: DeliverHint) -> PresenceChanged? {
    guard let event = try? PresenceChanged(decoding: hint.body.array),
      edges.state(hint.player, event.player) == .friends
    else { return nil }
    return event
  }
}

extension PresenceChanged {
  fileprivate init(_ player: PlayerID, isOnline: Bool) {
    self.init()
    (self.player, presence) = (player, isOnline ? .online : .offline)
  }
}
