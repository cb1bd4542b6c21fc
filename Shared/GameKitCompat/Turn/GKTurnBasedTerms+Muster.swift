internal import Foundation
internal import MusterKit

extension GKTurnBasedMatch.Outcome {
  /// The lowest of the outcomes that are a game's own.
  private static let ownMin: UInt8 = 128

  init(_ outcome: TurnOutcome) {
    self =
      outcome.rawValue >= Self.ownMin
      ? .customRange : Self(rawValue: Int(outcome.rawValue)) ?? .none
  }

  var turnOutcome: TurnOutcome {
    TurnOutcome(rawValue: self == .customRange ? Self.ownMin : UInt8(rawValue))
  }
}

extension GKTurnBasedParticipant.Status {
  init(_ state: TurnSeatState) { self = Self(rawValue: Int(state.rawValue)) ?? .unknown }
}

extension TimeInterval {
  /// An exchange's time; no time, and a longer one than is allowed, is the longest.
  var exchangeMilliseconds: Int64 {
    let longest = TurnLimits.exchangeMillisecondsMax
    if self <= 0 || self * 1000 >= Double(longest) { return longest }
    return max(Int64(self * 1000), TurnLimits.clockMillisecondsMin)
  }
}
