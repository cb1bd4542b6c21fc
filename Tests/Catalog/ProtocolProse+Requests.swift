import Operations

/// How a client chooses recipients and sends game requests.
extension ProtocolProse {
  static let requests = """
    ## Game requests

    | sender | service | recipient |
    | --- | --- | --- |
    | sends `SelectRecipients`, page by page, and shows the friends | a page may be empty although others follow: go on until the cursor is empty | |
    | sends `SendRequest`, gets the request's id and an outcome for each recipient | `queued` is the outcome of what is on its way | gets `RequestReceived` in the stream; `Inbox` lists it |
    | gets `RequestDelivered`, with `wantsReceipts` | or `RequestDropped`: `notReachable`, `limitReached`, `rateLimited` | |
    | gets `RequestAnswered`, or `RequestExpired` | a request that is deleted is told to nobody | sends `AnswerRequest` or `DeleteRequest`, which take it off the list |

    **Invite tokens.** `CreateInviteTokens` returns texts of two identifiers, 52 characters: that of the sender,
    then that of the token. A text goes into a link, and among the `recipients` of requests, which then wait. A
    client that was started by the link sends `ClaimInviteToken`, with both identifiers, right after its `SignIn`. The
    first player to do so gets the requests. The sender gets `InviteTokenClaimed`, and from then on the player is their
    recipient in events. A token that is revoked or expires drops its requests, each with a
    `RequestDropped` (`expiredToken`).

    **Requests without a dialog.** A recipient lets a friend send without asking with `GrantConsent`; either side ends
    that with `RevokeConsent`. A client keeps who `isHeld` in its `ListConsents`: it reads the list when a session begins, and
    after `ConsentChanged`, puts what it has read in the place of what it knew, and keeps that where reading fails.
    If there is a recipient and all of them are in the list, it need not show the request, and sends
    it with `isFrictionless`. After `conflict` (recipients) it reads the list again and shows the request.

    """
}
