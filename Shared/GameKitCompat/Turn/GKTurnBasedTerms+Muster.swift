internal import Foundation
internal import MusterKit

extension GKTurnBasedMatch.Outcome {
  /// The lowest of the outcomes that are a game's own: the range itself, before its numbers.
  private static let ownMin = 128

  init(_ outcome: TurnOutcome) {
    let value = Int(outcome.rawValue)
    if value == Self.ownMin {
      self = .customRange
    } else {
      let number = value > Self.ownMin ? (value - Self.ownMin) << 16 : value
      self = Self(rawValue: number) ?? Self.none
    }
  }

  var turnOutcome: TurnOutcome {
    let own = self == .customRange ? 0 : rawValue >> 16
    let isOwn = self == .customRange || own > 0
    return TurnOutcome(rawValue: UInt8(isOwn ? Self.ownMin + own : rawValue))
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
