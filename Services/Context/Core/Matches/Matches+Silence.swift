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
  /// The least time between two looks at one match.
  private static let lookMilliseconds: Int64 = 250

  func lookForSilence(in context: ContextID, _ transaction: inout Transaction) {
    guard let match = live[context],
      transaction.now - match.lookedAt >= Self.lookMilliseconds
    else { return }
    live[context]?.lookedAt = transaction.now
    for place in match.seats.indices
    where match.seats[place].channel != nil && !match.seats[place].isSilent {
      guard let since = match.lateSince(place, now: transaction.now),
        transaction.now - since >= live.silenceMax
      else { continue }
      let grace = GraceTime(live.graceMilliseconds - live.silenceMax, now: transaction.now)
      live[context]?.seats[place].silentSince = since
      live[context]?.seats[place].grace = grace
      setTimer(grace, context, match.seats[place].player, &transaction)
    }
  }

  /// Whether a player's grace time stops, or begins anew, because the player has acknowledged what
  /// it owed when it began.
  func speaksAgain(
    _ place: Int, in context: ContextID, _ transaction: inout Transaction
  ) -> Bool {
    guard let match = live[context], let silentSince = match.seats[place].silentSince,
      match.seats[place].channel != nil
    else { return false }
    let now = transaction.now
    let since = match.owesSince(place, now: now).flatMap { now - $0 >= live.silenceMax ? $0 : nil }
    if let since, since <= silentSince { return false }
    live[context]?.seats[place].silentSince = since
    live[context]?.seats[place].grace = nil
    if let since, let grace = live.beginGrace(context, place, now: now, owesSince: since) {
      setTimer(grace, context, match.seats[place].player, &transaction)
    }
    return true
  }
}
