import Operations

/// How a client waits for a match with others.
extension ProtocolProse {
  static let matchmaking = """
    ## Matchmaking, step by step

    | a player | the server | |
    | --- | --- | --- |
    | sends `FindMatch` (player group, criteria), gets `ticket` and `expiresAt` | keeps the ticket, over lost connections and restarts | GameKit's player group is its number in decimal digits |
    | | finds others; asks each player's key whether anybody is blocked; tells all by a `MatchFound` in the stream and a `TicketChanged` hint | nothing is told before all keys have confirmed |
    | sends `JoinMatch` (context of `MatchFound`, seat) | waits for the others | `notFound` in the first moments: try again |
    | sends `CancelTicket` (player group, ticket) instead | answers how the ticket has ended | `matched` when it was too late; `conflict`: ask again |
    | | tells by a `TicketEnded` that it has expired, and which rule kept it from a match | |

    - Whoever has not joined half a minute after the first player is out of the match. It begins without them
      when enough are there. Else it is over, and those who were there wait again by a new ticket, in their old
      place (for twice that time) and as old as before. All are told (`JoiningEnded`), also when one leaves who was needed.
    - After each new session read `ListTickets`: a hint may have been lost.
    - Two tickets fit when each accepts the other by its own waiting time. A ticket looks for others when it
      comes and when a rule of it loosens; of those that fit, the oldest is in the match. One search does a
      bounded amount of work, the oldest of each kind first.
    - Friends are matched together by `InvitePlayers`, never by being named: `members` of a `FindMatch` are
      those of a running match. A party's ticket that nobody joins gets its match at expiry if it is enough.
    - With `InvitePlayers` the caller hears of each answer (`MatchInviteAnswered`), and at the end
      (`MatchInviteEnded`) of the context, or of the ticket by which the rest of the seats are filled.

    """
}
