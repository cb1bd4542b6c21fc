import Operations
import Wire

/// Players who were added to matches that had begun.
struct AddedPlayers {
  /// All who were added, as what became durable tells.
  var given: [MatchName: Set<PlayerID>] = [:]
  /// What queues and inviters ask for, by the request that they name.
  var sought: [ContextID: AddMatchSeats] = [:]
  /// When players were added who had asked for a seat before, and may have been out of the match
  /// then. What was sent to them until they had a seat again is lost with the client from before.
  var returns: [MatchName: [PlayerID: [Int64]]] = [:]
  /// Those who are known to be added, until they ask for a seat.
  var expected: [ContextID: [PlayerID: MatchName]] = [:]
  /// By the seats that they asked for then.
  var asking: [UInt64: MatchName] = [:]
  /// When a client first knew that it had its seat, and in which match.
  var seated: [UInt64: (match: MatchName, at: Int64)] = [:]
  /// Those who were refused a seat after they were known to be added.
  var refused: [(match: MatchName, player: PlayerID, error: String)] = []
}

extension MatchLog {
  /// Learns from a batch that is durable who was added to a match: by a player in it, or because
  /// the match had seats for whom a queue or an inviter asked.
  func took(_ steps: ArraySlice<Ledger.Step>, now: Int64) {
    var given: [ContextID] = []
    for step in steps {
      switch step {
      case .call(let call):
        guard let (add, _) = call.decoded(AddMatchPlayers.self) else { continue }
        hasAdded(add.players, to: MatchName(context: add.context, number: add.number), now)
      case .sent(let effect) where effect.opcode == AddMatchSeats.opcode:
        guard let add = try? AddMatchSeats(decoding: effect.body) else { continue }
        added.sought[add.request] = add
      case .sent(let effect) where effect.opcode == MatchSeatsAnswered.opcode:
        guard let answer = try? MatchSeatsAnswered(decoding: effect.body) else { continue }
        if answer.isGiven { given.append(answer.request) }
      case .sent, .effect: break
      }
    }
    for request in given {
      guard let add = added.sought.removeValue(forKey: request) else { continue }
      hasAdded(add.players, to: MatchName(context: add.context, number: add.number), now)
    }
  }

  /// Those who are known not to be in the match have a seat in it from now on. The others may still
  /// have one, which they keep, and may lose it after that.
  private func hasAdded(_ players: [PlayerID], to match: MatchName, _ now: Int64) {
    added.given[match, default: []].formUnion(players)
    for player in players {
      let own = seats[match.context]?[player] ?? []
      if !own.isEmpty, isOutNow(player, of: match, now) {
        added.returns[match, default: [:]][player, default: []].append(now)
      }
      // What is not answered yet may take the player out again.
      let isLeaving = contextLeaves[match.context]?[player].map { $0.open > 0 } ?? false
      if !isLeaving, own.last.map(leftSeats.contains) ?? true {
        added.expected[match.context, default: [:]][player] = match
      }
    }
  }

  /// Whether a message was sent before its receiver, who has come back to the match, had a seat in
  /// it again: the first after it was added. Later clients of the receiver miss nothing else.
  func isLost(_ index: Int, of line: Line, withSeat seat: UInt64) -> Bool {
    guard let returns = added.returns[line.match]?[line.receiver],
      let seatedAt = added.seated[seat]?.at, let sentAt = sendTimes[line]?[index]
    else { return false }
    let times = (seats[line.match.context]?[line.receiver] ?? []).compactMap { seat in
      added.seated[seat].flatMap { $0.match == line.match ? $0.at : nil }
    }
    return returns.contains { returned in
      guard let first = times.filter({ $0 >= returned }).min() else { return false }
      return sentAt < first && first <= seatedAt
    }
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
