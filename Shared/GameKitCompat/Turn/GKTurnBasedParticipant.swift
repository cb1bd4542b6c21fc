public import Foundation
internal import MusterKit

/// Who has a seat in a turn-based match.
@preconcurrency @MainActor
public final class GKTurnBasedParticipant {
  /// Nil while nobody has the seat.
  public let player: GKPlayer?
  public let status: Status
  /// How the match has ended for the participant. Whoever ends the match sets it before.
  public var matchOutcome: GKTurnBasedMatch.Outcome
  /// When the participant's time is up; nil for who has not got the turn.
  public let timeoutDate: Date?
  /// When the participant has moved, who was the last to move; nil for all others, and before the
  /// match was loaded.
  public let lastTurnDate: Date?

  /// The player's id; the older form of `player`.
  public var playerID: String? { player?.playerID }

  init(_ seat: TurnSeat, _ name: String, timeoutDate: Date?, lastTurnDate: Date?) {
    player = seat.player.isNil ? nil : GKPlayer(seat.player, displayName: name)
    status = Status(seat.state)
    matchOutcome = GKTurnBasedMatch.Outcome(seat.outcome)
    self.timeoutDate = timeoutDate
    self.lastTurnDate = lastTurnDate
  }
}

/// Two objects of one player are equal, whenever they were loaded; free seats are not.
extension GKTurnBasedParticipant: Hashable {
  public nonisolated static func == (
    left: GKTurnBasedParticipant, right: GKTurnBasedParticipant
  ) -> Bool {
    left === right || (left.player != nil && left.player == right.player)
  }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(player) }
}

extension GKTurnBasedParticipant {
  /// A player who has no seat any more.
  convenience init(_ player: PlayerID, _ name: String) {
    var seat = TurnSeat()
    seat.player = player
    self.init(seat, name, timeoutDate: nil, lastTurnDate: nil)
  }
}
