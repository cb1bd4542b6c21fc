public import Domain
public import Operations

extension ClientLimits {
  /// What a gateway with these settings allows. The page of the protocol shows it for the defaults.
  public init(_ settings: SettingValues) {
    self.init(
      openCallsMax: GatewayLimits.openCallsMax, idleMilliseconds: settings[.clientIdle],
      partialFrameMilliseconds: settings[.partialFrame],
      callsPerSecond: settings[.callsPerSecond], deadlineMilliseconds: settings[.callDeadline],
      deadlineMillisecondsMax: GatewayLimits.deadlineMillisecondsMax)
  }
}
