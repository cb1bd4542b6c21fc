public import Foundation

/// How long a turn takes: one week. No turn can say otherwise: the time is a rule of the whole
/// match, which its starter chooses through MusterKit (`TurnOptions`).
public let GKTurnTimeoutDefault: TimeInterval = 7 * 24 * 3600
/// For games that name it; a turn takes as long as with `GKTurnTimeoutDefault`.
public let GKTurnTimeoutNone: TimeInterval = 0
/// How long an exchange takes where the game does not say: one day.
public let GKExchangeTimeoutDefault: TimeInterval = 24 * 3600
/// An exchange that lasts as long as Muster lets any: a week.
public let GKExchangeTimeoutNone: TimeInterval = 0

public typealias GKTurnBasedMatchStatus = GKTurnBasedMatch.Status
public typealias GKTurnBasedMatchOutcome = GKTurnBasedMatch.Outcome
public typealias GKTurnBasedParticipantStatus = GKTurnBasedParticipant.Status

extension GKTurnBasedMatch {
  public enum Status: Int, Sendable {
    case unknown = 0
    case open = 1
    case ended = 2
    /// Seats are free.
    case matching = 3
  }

  /// How a match has ended for a participant.
  ///
  /// A game's own outcomes are numbers within `customRange`. Muster has room for 127 of them:
  /// 0x0001_0000, 0x0002_0000 and so on up to 0x007F_0000, besides the range itself.
  public struct Outcome: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Returns nil for a number that is neither GameKit's nor among a game's own.
    public init?(rawValue: Int) {
      let own = rawValue >> 16
      let isOwn = Self.ownNumbers.contains(own) && own << 16 == rawValue
      let isKnown = (0...9).contains(rawValue) || rawValue == Self.customRange.rawValue
      guard isOwn || isKnown else { return nil }
      self.init(known: rawValue)
    }

    private init(known rawValue: Int) { self.rawValue = rawValue }

    static let ownNumbers = 1...127

    public static let none = Self(known: 0)
    public static let quit = Self(known: 1)
    public static let won = Self(known: 2)
    public static let lost = Self(known: 3)
    public static let tied = Self(known: 4)
    public static let timeExpired = Self(known: 5)
    public static let first = Self(known: 6)
    public static let second = Self(known: 7)
    public static let third = Self(known: 8)
    public static let fourth = Self(known: 9)
    public static let customRange = Self(known: 0x00FF_0000)
  }
}

extension GKTurnBasedParticipant {
  public enum Status: Int, Sendable {
    case unknown = 0
    case invited = 1
    case declined = 2
    /// Nobody has the seat yet.
    case matching = 3
    case active = 4
    case done = 5
  }
}

public enum GKTurnBasedExchangeStatus: Int8, Sendable {
  case unknown = 0
  case active = 1
  case complete = 2
  case resolved = 3
  case canceled = 4
}
