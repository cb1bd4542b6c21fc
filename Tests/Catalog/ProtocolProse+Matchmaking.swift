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
      when enough are there. Else it is over, and those who were there wait again by a new ticket, which
      `JoiningEnded` names, in their old place (for twice that time) and as old as before; who came by
      invitations alone waits for nothing. All are told by `JoiningEnded`, also when one leaves who was needed.
    - After each new session read `ListTickets`: a hint may have been lost.
    - Two tickets fit when each accepts the other by its own waiting time. A ticket looks for others when it
      comes and when a rule of it loosens; of those that fit, the oldest is in the match. One search does a
      bounded amount of work, the oldest of each kind first.
    - Friends are matched together by `InvitePlayers`, never by being named: `members` of a `FindMatch` are
      those of a running match. A party's ticket that nobody joins gets its match at expiry if it is enough.
    - Without automatching nothing comes of an invitation that fewer than `minPlayers` have accepted, the inviter
      included. `maxPlayers` is 2 unless it is given: a second recipient is refused then.

    Of an `InvitePlayers`, its inviter and its recipients hear this in their streams:

    | | the inviter | those who accepted | those who have not answered |
    | --- | --- | --- | --- |
    | each answer | `MatchInviteAnswered` | | |
    | all have answered, and are enough | `MatchFound`, `MatchInviteEnded` (context) | the same | |
    | all have answered, and the rest of the seats are filled | `MatchInviteEnded` (ticket) | the same | |
    | too few have accepted, or a block keeps two of them apart | `MatchInviteEnded` alone | the same | |
    | it is cancelled | | `MatchInviteEnded` alone | `MatchInviteEnded` alone |
    | the time is over | `MatchInviteAnswered` (`noAnswer`) for each, then as when all have answered | as above | |
    | one accepts for a running match | `MatchInviteAnswered` when it is known whether there is a seat | `MatchFound` with `number`, or `MatchInviteEnded` alone when there is none | |
    | all have answered for a running match | `MatchInviteEnded` (context) | | |

    *Alone* is without a context and without a ticket. Whoever has declined hears nothing more.

    """
}
