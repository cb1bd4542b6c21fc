import Domain
import Operations
import Wire

// A player who is connected and acknowledges nothing would fill the buffers of all who send to it,
// and so stop their data to everybody. After a third of the grace time in which nothing moved, the
// rest of it begins to run, as for a player whose connection is gone; with its end the player
// leaves the match. Nobody is told before: a player who is only slow goes on when it acknowledges.
//
// It is looked for when acknowledgements are told and when clients join again, which they do every
// ten seconds, so that passing data on sets no timers.

extension Matches {
  /// How long nothing may move before the rest of the grace time begins to run.
  private var silenceMax: Int64 { live.graceMilliseconds / 3 }
  /// The least time between two looks at one match.
  private static let lookMilliseconds: Int64 = 250

  func lookForSilence(in context: ContextID, _ transaction: inout Transaction) {
    guard let match = live[context],
      transaction.now - match.lookedAt >= Self.lookMilliseconds
    else { return }
    live[context]?.lookedAt = transaction.now
    for place in match.seats.indices
    where match.seats[place].channel != nil && !match.seats[place].isSilent {
      guard isStuck(place, in: match, now: transaction.now) else { continue }
      let grace = GraceTime(live.graceMilliseconds - silenceMax, now: transaction.now)
      live[context]?.seats[place].isSilent = true
      live[context]?.seats[place].grace = grace
      setTimer(grace, context, match.seats[place].player, &transaction)
    }
  }

  private func isStuck(_ place: Int, in match: LiveMatches.Match, now: Int64) -> Bool {
    var connected: UInt16 = 0
    for (other, seat) in match.seats.enumerated() where seat.channel != nil {
      connected |= 1 << other
    }
    return match.seats[place].isStuck(since: now - silenceMax, connected: connected)
  }

  /// Whether a player's grace time stops because the player acknowledges again.
  func speaksAgain(_ place: Int, in context: ContextID, now: Int64) -> Bool {
    guard let match = live[context], match.seats[place].isSilent,
      match.seats[place].channel != nil, !isStuck(place, in: match, now: now)
    else { return false }
    live[context]?.seats[place].isSilent = false
    live[context]?.seats[place].grace = nil
    return true
  }
}
