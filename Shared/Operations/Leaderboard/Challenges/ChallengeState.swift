public import Wire

/// The state of a challenge. A pending or accepted challenge is open; in every other state it has
/// ended. A completed one opens again when the score that completed it is removed.
public struct ChallengeState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: 0)
  public static let accepted = Self(rawValue: 1)
  public static let completed = Self(rawValue: 2)
  public static let declined = Self(rawValue: 3)
  public static let expired = Self(rawValue: 4)

  /// The score to meet was removed; or the score that completed it was removed, and there was no
  /// room to open it again.
  public static let withdrawn = Self(rawValue: 5)

  public static let names = [
    "pending", "accepted", "completed", "declined", "expired", "withdrawn",
  ]

  /// Whether it can still be completed.
  public var isOpen: Bool { self == .pending || self == .accepted }
}

/// What can happen to a challenge.
public enum ChallengeEvent: CaseIterable, Sendable {
  /// The receiver accepts it. Accepting it again is harmless.
  case accept
  case decline
  /// An attempt of the receiver met it.
  case complete
  case expire
  /// The score that it was issued with was removed.
  case withdraw
}

extension ChallengeState {
  /// Returns the state after `event`; nil when the challenge has ended, so that the event cannot
  /// happen.
  public func after(_ event: ChallengeEvent) -> ChallengeState? {
    guard isOpen else { return nil }
    switch event {
    case .accept: return .accepted
    case .decline: return .declined
    case .complete: return .completed
    case .expire: return .expired
    case .withdraw: return .withdrawn
    }
  }
}
