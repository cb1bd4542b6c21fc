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
  }

  private var byChannel: [Channel: Subscription] = [:]
  private var byPlayer: [PlayerID: [Channel]] = [:]

  /// Opens a subscription, in place of one that the channel had.
  mutating func open(_ channel: Channel, _ subscription: Subscription) {
    close(channel)
    byChannel[channel] = subscription
    byPlayer[subscription.player, default: []].append(channel)
  }

  @discardableResult
  mutating func close(_ channel: Channel) -> Subscription? {
    guard let subscription = byChannel.removeValue(forKey: channel) else { return nil }
    byPlayer[subscription.player]?.removeAll { $0 == channel }
    if byPlayer[subscription.player]?.isEmpty == true { byPlayer[subscription.player] = nil }
    return subscription
  }

  /// The oldest channel of `player`, when there is no room for one more.
  func surplus(of player: PlayerID) -> Channel? {
    guard let channels = byPlayer[player], channels.count >= Self.perPlayerMax else { return nil }
    return channels.first
  }

  /// Returns the player's channels that get events of `game`; events of no game are for all of
  /// them.
  func channels(of player: PlayerID, game: String) -> [Channel] {
    (byPlayer[player] ?? []).filter { game.isEmpty || byChannel[$0]?.game == game }
  }

  /// The player's instances that are connected.
  func instances(of player: PlayerID) -> Set<UInt64> {
    Set((byPlayer[player] ?? []).compactMap { byChannel[$0]?.instance })
  }

  func channels(of player: PlayerID, instance: UInt64) -> [Channel] {
    (byPlayer[player] ?? []).filter { byChannel[$0]?.instance == instance }
  }
}
