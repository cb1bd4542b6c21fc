import Operations

/// A match of two clients, as `Tests/Python/play.py` plays it.
extension ProtocolProse {
  static let match = """
    ## A match, step by step

    Ada and Ben are friends, and signed in to the same game. In matches of up to 16 it is the same with more of them.

    | Ada | Ben | |
    | --- | --- | --- |
    | sends `CreatePairContext` (Ben), gets the context | gets a `ContextInvitation` in the stream | |
    | | sends `SwitchContext` (context) | |
    | sends `JoinMatch` (context, seat 11), gets `incarnation`, `place` 0, `roster` and `expectedPlayerCount` 1 | gets the hint `MatchExpected` | each client chooses a seat at random |
    | gets `MatchPlayerChanged` (Ben, place 1, seat 22, connected, `roster`) | sends `JoinMatch` (context, seat 22), gets `expectedPlayerCount` 0 | the match begins at 0, and data before that is refused |
    | sends `SendMatchData` (`incarnation`, seat 11, `roster`, receivers 2, sequence 1, reliable) | gets `MatchData` (place 0, seat 11, sequence 1) | receivers are bits: place 1 is 2 |
    | gets `MatchDataAcknowledged` (seat 11, [place 1, seat 22, through 1]), and forgets data 1 | sends `AcknowledgeMatchData` (`incarnation`, seat 22, [place 0, seat 11, through 1]) | one call for all senders, a few milliseconds after data has come |
    | loses the connection; `Resume`, then `JoinMatch` (seat 11, `number` of the match, received [Ben, seat 22, through k]) | gets `MatchPlayerChanged` (Ada, disconnected), then (Ada, connected) | each sends again what is not acknowledged, under the same numbers |
    | gets `MatchEnded` | sends `LeaveMatch` (context, seat 22) | |
    | sends `JoinMatch` (context, seat 11, `startsNew`), gets `number` 2 and another `incarnation` | sends `JoinMatch` (context, seat 22) | the next match: without `startsNew` the first of them gets `matchEnded` |

    - Reliable data is numbered from 1 for each match, pair of seats and direction; in a new `incarnation` of the
      same match the numbers go on. One `SendMatchData` goes to all its receivers: `sequence` is the number for
      whoever is not among the `exceptions`, which hold the others' numbers. Unreliable data has one number for
      all, higher each time.
    - To each receiver have at most `matchWindowSizeMax` bytes of reliable data under way that it has not
      acknowledged, `matchPieceOverheadSize` more for each piece, and send the rest as acknowledgements come. That
      `SendMatchData` was answered does not mean that anybody has the data: the service drops what is far beyond
      this window, and what is for a player who is not connected. When nothing is acknowledged for 2 s, begin again
      with the first piece that is not; then after twice as long each time, up to 8 s.
    - The answer to `SendMatchData` or `AcknowledgeMatchData` may wait up to about 16 ms for what else leaves. So
      do not wait for one answer before the next call, and do not take the time until it for the latency.
    - Unreliable data that is refused with `rateLimited` or `backpressure` is dropped, never sent again. Keep few
      of these calls open: `openCallsMax` is for all calls of the connection.
    - A message goes in pieces by `isPartial` and has at most `matchMessageSizeMax` bytes: the receiver acknowledges
      a longer one and drops it.
    - Send the newest `roster` that a reply or a `MatchPlayerChanged` has told: the service passes nothing on to
      a client that took its seat later. A `MatchPlayerChanged` with a `roster` that is not higher is old. One
      that is higher by more than 1 means that something was missed: call `JoinMatch`.
    - Take the reliable data of a sender's seat in order. The next number is the last one plus 1: acknowledge a
      lower one again and drop it, and keep or drop a higher one until those before it have come. Data of a
      `roster` below your own `since` is not for you.
    - Another seat of the same player is another client: numbers begin at 1 again in both directions. Send it what
      the client before has not acknowledged, under numbers from 1, without the rest of a message whose first
      pieces that one has acknowledged. What has come of a message in pieces from the client before is dropped,
      and so is all that waits for a player who has left.
    - Who acknowledges nothing that was sent to it is out of the match after the grace time. It gets a
      `MatchEnded`, although the match may go on for the others.
    - Call `JoinMatch` again every ten seconds or so while playing, after a `conflict` of another call of the
      match, and when an `incarnation` is new: always with `number` once it is known. A service that has started
      again knows no seats until they are announced so.
    - After `MatchSeatTaken`, or a `conflict` of `JoinMatch` itself, another client of the player has the seat, and
      this one is out: it does not join again by itself. After a reply with `hasNoSeat` it is out, too; the other
      fields but `number` mean nothing there.
    - A `MatchEnded` of a match that has not begun can mean that too few have joined it: `JoiningEnded` says so, and
      by which ticket the player waits again.

    """
}
