import Operations

/// Turn-based play, for whoever writes a client from the page alone.
extension ProtocolProse {
  static let turns = """
    ## A turn-based game, step by step

    Ada and Ben are in a context, and signed in to the same game.

    | Ada | Ben | |
    | --- | --- | --- |
    | sends `StartTurnGame` (context, players [Ada, Ben], state), gets `number` 1 and `version` 1 | gets a `TurnGameInvitation` in the stream | Ada has the turn, and need not wait for Ben's answer |
    | | sends `AnswerTurnGame` (number 1, accept) | |
    | sends `MakeMove` (number 1, version 1, payload, state), gets `version` 2 | gets a `TurnPassed` in the stream and a `YourTurn` hint | both say the version and not the state |
    | | sends `ReadTurnGame` (number 1), gets the state | `ListTurnGames` says which games wait, also after a start |
    | | sends `MakeMove` (version 1), gets `conflict` (version) | `detail` is a `TurnGameView`: the state of version 2 |
    | gets a `TurnPassed` | sends `MakeMove` (version 2, payload, state) | |
    | sends `ProposeTurnChange` (undo, move 1) | gets a `TurnProposalChanged`, sends `AnswerTurnProposal` (accept) | one move remains, and it is Ben's turn |
    | gets a `TurnGameEnded` | sends `EndTurnGame` (version, outcomes of both) | |
    | sends `StartTurnGame` (rematchOf 1, players [Ada, Ben]) | gets a `TurnGameInvitation` | `number` is 2 |

    - A state, a hidden state and a payload are the game's own bytes. The service never looks into them, except that
      it compares payloads with those of `SetConditionalMoves`.
    - Read the game again after `TurnPassed`, `TurnGameChanged` and `conflict`. For each version there is one public
      state. A move that was refused did nothing; one that was answered is in the history once.
    - In a game with sealed rounds nobody has the turn: each player sends `SealMove` for the open `round`. `hasMoved` says who
      has; when all have, the moves of the round come into the history together, with one `version`. The players
      bring the state up to date with `SaveTurnState`.
    - `ReadMoves` and `ReadTurnState` show a game move by move: the moves, and the public state after each.
    - A pause ends with a `TurnPassed` for each player whom the game waits for.
    - A hidden state is returned to its player alone. Each player writes only the own one; at the start the starter
      deals.
    - A move counts if it comes before the service has let the time pass, however late that is.

    """
}
