import Operations
import Wire

/// Players who were added to matches that had begun.
struct AddedPlayers {
  /// All who may have been added.
  var asked: [MatchName: Set<PlayerID>] = [:]
  /// Those of them who may have been there before. What was sent to them then is lost with the
  /// client from then.
  var returned: [MatchName: Set<PlayerID>] = [:]
  /// Those who are known to be added, until they ask for a seat.
  var expected: [ContextID: [PlayerID: MatchName]] = [:]
  /// By the seats that they asked for then.
  var asking: [UInt64: MatchName] = [:]
  /// When a client first knew that it had its seat.
  var seatedAt: [UInt64: Int64] = [:]
  /// Those who were refused a seat after they were known to be added.
  var refused: [(match: MatchName, player: PlayerID, error: String)] = []
}

extension MatchLog {
  /// Returns those of the players who are not in the match, with how many seats they have asked
  /// for. The others may still have a seat, which they keep, and may lose it after that.
  func willAdd(_ players: [PlayerID], to match: MatchName) -> [PlayerID: Int] {
    let own = seats[match.context] ?? [:]
    added.asked[match, default: []].formUnion(players)
    added.returned[match, default: []].formUnion(players.filter { own[$0] != nil })
    var out: [PlayerID: Int] = [:]
    for player in players where own[player]?.last.map(leftSeats.contains) ?? true {
      out[player] = own[player]?.count ?? 0
    }
    return out
  }

  /// A player who is in no match of the context hears that it may have been added to a running one.
  func heard(_ event: MatchFound, by player: PlayerID) {
    _ = willAdd([player], to: MatchName(context: event.context, number: event.number))
  }

  /// Who has asked for a seat meanwhile may have left it again after it was added.
  func hasAdded(_ players: [PlayerID: Int], to match: MatchName) {
    for (player, count) in players where seats[match.context]?[player]?.count ?? 0 == count {
      added.expected[match.context, default: [:]][player] = match
    }
  }

  /// Whether a message was sent before its receiver, who has come back to the match, had a seat.
  func isLost(_ index: Int, of line: Line, withSeat seat: UInt64) -> Bool {
    guard added.returned[line.match]?.contains(line.receiver) == true,
      let seatedAt = added.seatedAt[seat], let sentAt = sendTimes[line]?[index]
    else { return false }
    return sentAt < seatedAt
  }

  /// A client that asked for a seat was refused. Whoever was added before it asked has a seat for
  /// as long as the match runs, which is known later, and has not lost it within the grace time.
  func refused(
    _ context: ContextID, _ player: PlayerID, seat: UInt64, _ error: String, askedAt: Int64,
    now: Int64
  ) {
    guard let match = added.asking[seat], now < askedAt + grace,
      !hasClockChanged(from: askedAt, through: now),
      contextLeavers[context]?.contains(player) != true
    else { return }
    added.refused.append((match, player, error))
  }
}
