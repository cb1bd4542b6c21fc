public import Wire

/// Where a challenge stands. Pending and accepted ones are open; the others are ends. A completed one
/// opens again when the score that completed it is removed.
public struct ChallengeState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: 0)
  public static let accepted = Self(rawValue: 1)
  public static let completed = Self(rawValue: 2)
  public static let declined = Self(rawValue: 3)
  public static let expired = Self(rawValue: 4)

  /// The score that it asks to meet was removed, or a removal left no room for it.
  public static let withdrawn = Self(rawValue: 5)

  public static let names = [
    "pending", "accepted", "completed", "declined", "expired", "withdrawn",
  ]

  /// Outstanding: it can still be completed.
  public var isOpen: Bool { self == .pending || self == .accepted }
}

/// What can happen to a challenge.
public enum ChallengeEvent: CaseIterable, Sendable {
  /// The receiver takes it up. Once more is harmless.
  case accept
  case decline
  /// An attempt of the receiver met it.
  case complete
  case expire
  /// The score that it was issued with was removed.
  case withdraw
}

extension ChallengeState {
  /// The state after `event`; nil where the event cannot happen, that is, in every end.
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
