import Operations

/// A match of two clients, as `Tests/Python/play.py` plays it.
extension ProtocolProse {
  static let match = """
    ## A match, step by step

    Ada and Ben are friends, and signed in to the same game.

    | Ada | Ben | |
    | --- | --- | --- |
    | sends `CreatePairContext` (Ben), gets the context | gets a `ContextInvitation` in the stream | |
    | | sends `SwitchContext` (context) | |
    | sends `JoinMatch` (context, seat 11), gets `incarnation` and `expectedPlayerCount` 1 | | each client chooses a seat at random |
    | gets `MatchPlayerChanged` (Ben, seat 22, connected) | sends `JoinMatch` (context, seat 22), gets `expectedPlayerCount` 0 | the match begins at 0 |
    | sends `SendMatchData` (`incarnation`, seat 11, receivers [Ben, seat 22, sequence 1], reliable) | gets `MatchData` (sequence 1, sender's seat 11, receiver's seat 22) | numbers count from 1 for each pair of seats and direction |
    | gets `MatchDataAcknowledged` (through 1), and forgets data 1 | sends `AcknowledgeMatchData` (`incarnation`, seat 22, Ada, seat 11, through 1) | |
    | loses the connection; `Resume`, then `JoinMatch` (seat 11, `number` of the match, received [Ben, seat 22, through k]) | gets `MatchPlayerChanged` (Ada, disconnected), then (Ada, connected) | each sends again what is not acknowledged, under the same numbers |
    | gets `MatchEnded` | sends `LeaveMatch` (context, seat 22) | |
    | sends `JoinMatch` (context, seat 11, `startsNew`), gets `number` 2 and another `incarnation` | sends `JoinMatch` (context, seat 22) | the next match: without `startsNew` the first of them gets `matchEnded` |

    - Take the reliable data of a sender's seat in order. The next number is the last one plus 1: acknowledge a
      lower one again and drop it, and keep or drop a higher one until those before it have come.
    - Another seat of the same player is another client: numbers begin at 1 again in both directions.
    - After `conflict`, and when an `incarnation` is new, call `JoinMatch` again. A service that has started
      again knows no seats until they are announced so.
    - Call `JoinMatch` again every ten seconds or so while playing.

    """
}
