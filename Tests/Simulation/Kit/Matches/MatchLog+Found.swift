import Operations
import Wire

/// What became of matches that were found, as clients saw it.
struct FoundMatchLog {
  /// Their contexts, as far as a client has asked to join.
  var contexts: Set<ContextID> = []
  /// Those that have begun, as far as a client knows.
  var begun: Set<MatchName> = []
  /// Matches that ended for a player who was there, and to whom they had not begun.
  var endedEarly: [(match: MatchName, player: PlayerID)] = []
}

extension MatchLog {
  /// Whether a player has not left a context, nor asked to.
  func hasStayed(in context: ContextID, _ player: PlayerID) -> Bool {
    contextLeavers[context]?.contains(player) != true
  }

  /// Takes down the end of a match that was found and has not begun. Returns whether it is one.
  func endedEarly(
    _ match: MatchName, _ player: PlayerID, _ reason: EndCause, now: Int64
  ) -> Bool {
    guard found.contexts.contains(match.context) else { return false }
    switch reason {
    case .own, .seatTaken: return false
    case .over, .failed: break
    }
    // The others may wait on.
    if isOut(player, of: match, now) { return true }
    endedThrough[match.context] = max(endedThrough[match.context] ?? 0, match.number)
    found.endedEarly.append((match, player))
    return true
  }

  /// A player hears who has not joined a match that was found: nobody who was there is among them.
  func heard(_ event: JoiningEnded, by player: PlayerID, now: Int64) {
    guard event.absent.contains(player),
      let newest = contacts.keys.filter({ $0.context == event.context })
        .max(by: { $0.number < $1.number }), contacts[newest]?[player] != nil
    else { return }
    require(
      isOut(player, of: newest, now), "3.2 \(player) had joined \(newest), and counts as absent")
  }
}
