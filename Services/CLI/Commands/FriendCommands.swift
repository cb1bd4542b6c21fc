import MusterKit

enum FriendCommands {
  static let all = [
    Command("friend list", "", "friends, invitations and blocks") { session in
      try await session.asPlayer { client in
        var reply = ListFriends.Reply()
        reply.friends = try await client.friends()
        await session.show(reply, from: client)
      }
    },
    Command(
      "friend recent", "", "players met in matches and contexts of the game, the last ones first",
      [.cursor]
    ) { session in
      var operation = ListRecentPlayers()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command("friend invite", "PLAYER", "ask somebody to be a friend") { session in
      var operation = InviteFriend()
      operation.player = try session.player(session.word(0, "PLAYER"))
      try await session.show(operation)
    },
    Command("friend import", "PLAYER...", "ask a list of players to be friends") { session in
      _ = try session.word(0, "PLAYER")
      let players = try session.arguments.words.map { text in try session.player(text) }
      try await session.asPlayer { client in
        var reply = InviteFriends.Reply()
        reply.outcomes = try await client.inviteFriends(players)
        await session.show(reply, from: client)
      }
    },
    Command(
      "friend suggest", "", "friends of friends",
      [.init("round", "NUMBER", "Whose friends to look at: 0, 1, 2 and so on (default 0).")]
    ) { session in
      var operation = SuggestFriends()
      if let round = session.arguments["round"] {
        operation.round = try session.integer(round, "--round")
      }
      try await session.show(operation)
    },
    Command("friend accept", "PLAYER", "accept an invitation") { session in
      try await answer(session, accept: true)
    },
    Command("friend decline", "PLAYER", "decline an invitation") { session in
      try await answer(session, accept: false)
    },
    Command("friend remove", "PLAYER", "end a friendship") { session in
      var operation = RemoveFriend()
      operation.player = try session.player(session.word(0, "PLAYER"))
      try await session.show(operation)
    },
    Command("friend block", "PLAYER", "hear nothing of a player any more") { session in
      var operation = BlockPlayer()
      operation.player = try session.player(session.word(0, "PLAYER"))
      try await session.show(operation)
    },
    Command("friend unblock", "PLAYER", "take a block back") { session in
      var operation = UnblockPlayer()
      operation.player = try session.player(session.word(0, "PLAYER"))
      try await session.show(operation)
    },
  ]

  private static func answer(_ session: Session, accept: Bool) async throws {
    var operation = AnswerFriend()
    operation.player = try session.player(session.word(0, "PLAYER"))
    operation.accept = accept
    try await session.show(operation)
  }
}
