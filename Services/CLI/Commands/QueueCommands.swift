import MusterKit

/// Waiting for matches. Queues are declared with `muster apply`.
enum QueueCommands {
  private static let group = Command.Option(
    "group", "NAME", "The player group (default 0); only those of one group meet.")

  static let all = [
    Command(
      "queue find", "", "wait for a match with anybody, and print its context",
      [
        group,
        .init("min", "PLAYERS", "The least players of the match (default 2)."),
        .init("max", "PLAYERS", "The most players of the match (default --min)."),
        .init(
          "attributes", "MASK",
          "A mask of 32 bits, as a decimal number; all masks of a match make up all ones."),
        .init("number", "NAME=VALUE", "A number that a rule of the queue compares; once for each."),
        .init("word", "NAME=WORD", "A word that a rule of the queue compares; once for each."),
        .init("latency", "REGION=MS", "The milliseconds to a region of the queue; once for each."),
        .init("detach", nil, "Leave the ticket waiting and end at once."),
      ], run: find),
    Command("queue cancel", "TICKET", "take a ticket back", [group]) { session in
      var operation = CancelTicket()
      operation.playerGroup = session.arguments["group"] ?? "0"
      operation.ticket = try session.identifier(session.word(0, "TICKET"), "TICKET")
      try await session.show(operation)
    },
    Command("queue status", "", "the player's tickets, the newest first") { session in
      try await session.show(ListTickets())
    },
    Command("queue activity", "", "how much goes on in a player group", [group]) { session in
      var operation = QueueActivity()
      operation.playerGroup = session.arguments["group"] ?? "0"
      try await session.show(operation)
    },
    Command("queue show", "", "the rules of a player group's queue", [group]) { session in
      var operation = DescribeQueue()
      operation.playerGroup = session.arguments["group"] ?? "0"
      try await session.show(operation)
    },
    Command(
      "queue remove", "GROUP", "take back what is declared of a player group's queue (operator)"
    ) { session in
      var operation = RemoveQueue()
      operation.playerGroup = try session.word(0, "GROUP")
      let removal = operation
      session.output.show(try await session.asOperator { try await $0.call(removal) })
    },
    Command(
      "match invite", "PLAYER...", "invite friends to a match; it begins when all have answered",
      [
        .init("message", "TEXT", "What those who are invited read."),
        .init("group", "NAME", "The player group that they read (default none); no queue is used."),
      ]
    ) { session in
      var operation = InvitePlayers()
      operation.recipients = try session.arguments.words.map { try session.player($0) }
      operation.message = session.arguments["message"] ?? ""
      operation.playerGroup = session.arguments["group"] ?? ""
      operation.criteria.maxPlayers = 16
      try await session.show(operation)
    },
    Command("match invites", "", "the player's own invitations, with the answers so far") {
      session in
      try await session.show(ListMatchInvites())
    },
    Command("match uninvite", "INVITE", "take an invitation to a match back") { session in
      var operation = CancelMatchInvite()
      operation.invite = try session.identifier(session.word(0, "INVITE"), "INVITE")
      try await session.show(operation)
    },
    Command(
      "match answer", "INVITER INVITE accepted|declined|failed|incompatible|unableToConnect",
      "answer an invitation to a match"
    ) { session in
      var operation = AnswerMatchInvite()
      operation.inviter = try session.player(session.word(0, "INVITER"))
      operation.invite = try session.identifier(session.word(1, "INVITE"), "INVITE")
      operation.answer = try session.named(session.word(2, "ANSWER"), "ANSWER")
      try await session.show(operation)
    },
  ]

  private static func find(_ session: Session) async throws {
    var operation = FindMatch()
    operation.playerGroup = session.arguments["group"] ?? "0"
    operation.criteria = try criteria(session)
    let asked = operation
    try await session.asPlayer { client in
      let reply = try await client.call(asked)
      session.output.show(reply)
      if session.arguments.has("detach") { return }
      session.output.note("waiting; Ctrl-C leaves the ticket waiting")
      let info = try await client.ticketOutcome(of: reply.ticket, in: asked.playerGroup)
      await session.show(info, from: client)
      if info.state == .matched {
        session.output.note(
          "play it with `muster match CONTEXT`: half a minute after the first one it is too late; "
            + "`muster turns start` needs no join")
      }
    }
  }

  private static func criteria(_ session: Session) throws -> MatchCriteria {
    var criteria = MatchCriteria()
    let arguments = session.arguments
    if let least = arguments["min"] { criteria.minPlayers = try session.integer(least, "--min") }
    criteria.maxPlayers = max(2, criteria.minPlayers)
    if let most = arguments["max"] { criteria.maxPlayers = try session.integer(most, "--max") }
    if let mask = arguments["attributes"] {
      criteria.playerAttributes = try session.integer(mask, "--attributes")
    }
    criteria.numbers = try arguments.all("number").map { text in
      let (name, value) = try pair(text, "--number")
      return TicketNumber(name, try session.integer(value, "--number"))
    }
    criteria.words = try arguments.all("word").map { text in
      let (name, word) = try pair(text, "--word")
      return TicketWord(name, word)
    }
    criteria.latencies = try arguments.all("latency").map { text in
      let (region, value) = try pair(text, "--latency")
      return TicketLatency(region, try session.integer(value, "--latency"))
    }
    return criteria
  }

  private static func pair(_ text: String, _ option: String) throws -> (String, String) {
    guard let sign = text.firstIndex(of: "=") else {
      throw UsageError("\(option) is a name, an equals sign and a value.")
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}
