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

    - Reliable data is numbered from 1 for each pair of seats and direction. One `SendMatchData` goes to all its
      receivers: `sequence` is the number for whoever is not among the `exceptions`, which hold the others' numbers.
      Unreliable data has one number for all, higher each time.
    - Send the newest `roster` that a reply or a `MatchPlayerChanged` has told: the service passes nothing on to
      a client that took its seat later. A `MatchPlayerChanged` with a `roster` that is not higher is old. One
      that is higher by more than 1 means that something was missed: call `JoinMatch`.
    - Take the reliable data of a sender's seat in order. The next number is the last one plus 1: acknowledge a
      lower one again and drop it, and keep or drop a higher one until those before it have come. Data of a
      `roster` below your own `since` is not for you.
    - Another seat of the same player is another client: numbers begin at 1 again in both directions.
    - Who acknowledges nothing that was sent to it is out of the match after the grace time.
    - After `conflict`, and when an `incarnation` is new, call `JoinMatch` again. A service that has started
      again knows no seats until they are announced so.
    - Call `JoinMatch` again every ten seconds or so while playing.

    """
}
