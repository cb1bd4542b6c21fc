public import Foundation

/// How long a turn takes where the game does not say: one week. A game's first turn says it for all
/// of them.
public let GKTurnTimeoutDefault: TimeInterval = 7 * 24 * 3600
/// A turn that lasts as long as Muster lets any: a year.
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
  public enum Outcome: Int, Sendable {
    case none = 0
    case quit = 1
    case won = 2
    case lost = 3
    case tied = 4
    case timeExpired = 5
    case first = 6
    case second = 7
    case third = 8
    case fourth = 9
    /// An outcome of the game's own; Muster keeps that it is one, and no number within the range.
    case customRange = 0x00FF_0000
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
