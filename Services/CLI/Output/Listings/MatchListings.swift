import MusterKit

extension ListTickets.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "tickets", empty: "no tickets; `muster queue find` asks for a match", \.tickets,
        [
          .word("group", \.playerGroup), .state("state", \.state), .names("with") { $0.players },
          .word("hindrance") { $0.state == .expired ? $0.hindrance.description : "" },
          .date("since", \.createdAt), .date("expires", \.expiresAt),
          .id("context") { $0.context },
          .id("ticket") { $0.ticket },
        ])
    ]
  }
}

extension ListMatchInvites.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "invites", empty: "no invitations; `muster match invite PLAYER...` sends one",
        { reply in
          reply.invites.flatMap { invite in
            invite.recipients.map { InvitedPlayer(invite: invite, recipient: $0) }
          }
        },
        [
          .name { $0.recipient.player }, .state("answer", \.recipient.answer),
          .date("expires", \.invite.expiresAt), .id("player") { $0.recipient.player },
          .id("invite") { $0.invite.invite },
        ])
    ]
  }

  private struct InvitedPlayer {
    var invite: MatchInviteInfo
    var recipient: MatchInviteRecipient
  }
}
