import Domain
import Operations
import Wire

/// Which connected clients get the events of which player. Subscriptions are in memory only: each
/// ends with its connection.
struct Subscriptions {
  /// Connections of one player: each event is pushed to all of them.
  static let perPlayerMax = SessionLimits.connectionsPerPlayerMax

  struct Subscription {
    var player: PlayerID
    var game: String
    var instance: UInt64
    /// The last event that the client was told of; nil while it has to read what it missed, and
    /// nothing newer is pushed.
    var told: UInt64?
  }

  private var byChannel: [Channel: Subscription] = [:]
  private var byPlayer: [PlayerID: [Channel]] = [:]

  /// Opens a subscription, in place of one that the channel had. What that one told, over the same
  /// connection, need not be read again.
  mutating func open(_ channel: Channel, _ subscription: Subscription) {
    var subscription = subscription
    if let old = close(channel), old.player == subscription.player, old.game == subscription.game {
      subscription.told = subscription.told ?? old.told
    }
    byChannel[channel] = subscription
    byPlayer[subscription.player, default: []].append(channel)
  }

  /// Whether a session of a player was opened on a channel in this life of the process.
  func isOpen(_ channel: Channel, of player: PlayerID) -> Bool {
    byChannel[channel]?.player == player
  }

  @discardableResult
  mutating func close(_ channel: Channel) -> Subscription? {
    guard let subscription = byChannel.removeValue(forKey: channel) else { return nil }
    byPlayer[subscription.player]?.removeAll { $0 == channel }
    if byPlayer[subscription.player]?.isEmpty == true { byPlayer[subscription.player] = nil }
    return subscription
  }

  /// The oldest channel of `player`, when there is no room for `channel`.
  func surplus(of player: PlayerID, besides channel: Channel) -> Channel? {
    let others = (byPlayer[player] ?? []).filter { $0 != channel }
    return others.count >= Self.perPlayerMax ? others.first : nil
  }

  /// The client on a channel has read every event up to `sequence`, the end of the stream: newer
  /// ones are pushed to it.
  mutating func caughtUp(_ channel: Channel, at sequence: UInt64, of player: PlayerID) {
    guard let subscription = byChannel[channel], subscription.player == player,
      subscription.told == nil
    else { return }
    byChannel[channel]?.told = sequence
  }

  /// Returns the channels that a new event is pushed to, each with the last event before it.
  mutating func tell(_ sequence: UInt64, of game: String, to player: PlayerID)
    -> [(channel: Channel, after: UInt64)]
  {
    var pushed: [(channel: Channel, after: UInt64)] = []
    for channel in byPlayer[player] ?? [] {
      guard let place = byChannel.index(forKey: channel) else { continue }
      let subscription = byChannel.values[place]
      guard game.isEmpty || subscription.game == game, let after = subscription.told else {
        continue
      }
      byChannel.values[place].told = sequence
      pushed.append((channel, after))
    }
    return pushed
  }

  /// Returns the player's channels that get what is of `game`; what is of no game is for all of
  /// them.
  func channels(of player: PlayerID, game: String) -> [Channel] {
    (byPlayer[player] ?? []).filter { game.isEmpty || byChannel[$0]?.game == game }
  }

  func isConnected(_ player: PlayerID) -> Bool { byPlayer[player] != nil }

  /// The player's instances that are connected.
  func instances(of player: PlayerID) -> Set<UInt64> {
    Set((byPlayer[player] ?? []).compactMap { byChannel[$0]?.instance })
  }

  func instance(of channel: Channel) -> UInt64? { byChannel[channel]?.instance }

  func channels(of player: PlayerID, instance: UInt64) -> [Channel] {
    (byPlayer[player] ?? []).filter { byChannel[$0]?.instance == instance }
  }
}
