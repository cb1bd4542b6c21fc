import MusterKit

/// Invite tokens, and consents to requests without a dialog.
enum TokenCommands {
  static let all = [
    Command(
      "token create", "", "make invite tokens, for links to players who are not known here",
      [.init("count", "NUMBER", "How many (default 1).")]
    ) { session in
      var operation = CreateInviteTokens()
      if let count = session.arguments["count"] {
        operation.count = try session.integer(count, "--count")
      }
      try await session.show(operation)
    },
    Command("token list", "", "invite tokens of this player, and who has claimed them") { session in
      try await session.show(ListInviteTokens())
    },
    Command("token revoke", "TOKEN", "take an invite token back") { session in
      try await session.show(RevokeInviteToken(try session.word(0, "TOKEN")))
    },
    Command("token claim", "TOKEN", "claim an invite token of another player") { session in
      let token = try session.word(0, "TOKEN")
      let reply = try await session.asPlayer { try await $0.claim(inviteToken: token) }
      session.output.show(reply)
    },
    Command("consent list", "", "who may send requests without a dialog, in both directions") {
      session in
      try await session.show(ListConsents())
    },
    Command("consent give", "PLAYER", "let a friend send requests without a dialog") { session in
      try await session.show(GrantConsent(to: session.player(session.word(0, "PLAYER"))))
    },
    Command(
      "consent revoke", "PLAYER", "end a consent",
      [.init("held", nil, "The one that PLAYER has given, not the one given to PLAYER.")]
    ) { session in
      let player = try session.player(session.word(0, "PLAYER"))
      try await session.show(RevokeConsent(player, isHeld: session.arguments.has("held")))
    },
  ]
}
