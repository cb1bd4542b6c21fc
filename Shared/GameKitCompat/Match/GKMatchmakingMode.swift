/// What players may choose in a `GKMatchmakerViewController`.
public enum GKMatchmakingMode: Int, Sendable {
  case `default` = 0
  /// Muster knows no players nearby: a controller of this mode fails with `notSupported`.
  case nearbyOnly = 1
  case automatchOnly = 2
  case inviteOnly = 3
}
