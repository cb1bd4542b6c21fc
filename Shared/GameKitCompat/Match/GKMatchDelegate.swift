public import Foundation

public enum GKPlayerConnectionState: Int, Sendable {
  case unknown = 0
  case connected = 1
  /// The player has left for good, or has lost the connection and is still among `players`.
  case disconnected = 2
}

extension GKMatch {
  public enum SendDataMode: Int, Sendable {
    /// Data arrives once and in order, for as long as both clients live.
    case reliable = 0
    /// Data may be dropped.
    case unreliable = 1
  }
}

public typealias GKMatchSendDataMode = GKMatch.SendDataMode

/// Hears of what happens in a match.
@preconcurrency @MainActor
public protocol GKMatchDelegate: AnyObject {
  func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer)
  func match(_ match: GKMatch, player: GKPlayer, didChange state: GKPlayerConnectionState)
  /// As the method without a recipient, which is called by this one's default; the recipient is the
  /// local player.
  func match(
    _ match: GKMatch, didReceive data: Data, forRecipient recipient: GKPlayer,
    fromRemotePlayer player: GKPlayer)
  /// Whether a player who has left a match of two is to be expected again. Who has only lost the
  /// connection comes back without being asked.
  func match(_ match: GKMatch, shouldReinviteDisconnectedPlayer player: GKPlayer) -> Bool
  /// The match has failed, or data could not be sent.
  func match(_ match: GKMatch, didFailWithError error: (any Error)?)
}

extension GKMatchDelegate {
  public func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer) {}
  public func match(
    _ match: GKMatch, player: GKPlayer, didChange state: GKPlayerConnectionState
  ) {}
  public func match(
    _ match: GKMatch, didReceive data: Data, forRecipient recipient: GKPlayer,
    fromRemotePlayer player: GKPlayer
  ) {
    self.match(match, didReceive: data, fromRemotePlayer: player)
  }
  public func match(_ match: GKMatch, shouldReinviteDisconnectedPlayer player: GKPlayer) -> Bool {
    false
  }
  public func match(_ match: GKMatch, didFailWithError error: (any Error)?) {}
}
