import MusterKit

/// Groups, and choosing among contexts.
enum GroupCommands {
  private static let policy = Command.Option(
    "policy", "POLICY", "How players come in.", choices: JoinPolicy.names)
  private static let size = Command.Option("size", "NUMBER", "The most players: 2 to 100.")
  private static let name = Command.Option("name", "TEXT", "A name that players are shown.")

  static let all = [
    Command(
      "context create-group", "[PLAYER]...", "create a group, invite friends and enter it",
      [name, size, policy]
    ) { session in
      var operation = CreateGroupContext()
      operation.players = try session.arguments.words.map { try session.player($0) }
      operation.name = session.arguments["name"] ?? ""
      if let size = session.arguments["size"] {
        operation.sizeMax = try session.integer(size, "--size")
      }
      if let policy = try session.policy() { operation.policy = policy }
      try await session.show(operation)
    },
    Command("context join", "CONTEXT [LINK]", "enter a group, or ask to be let in") { session in
      var operation = JoinContext()
      operation.context = try session.context()
      if let link = session.optionalWord(1) {
        operation.link = try session.identifier(link, "LINK")
      }
      try await session.show(operation)
    },
    Command("context invite", "CONTEXT PLAYER...", "invite friends to a group") { session in
      var operation = InviteToContext()
      operation.context = try session.context()
      operation.players = try session.arguments.words.dropFirst().map { try session.player($0) }
      try await session.show(operation)
    },
    Command(
      "context answer", "CONTEXT PLAYER yes|no", "answer a player who asks to be let in"
    ) { session in
      var operation = AnswerContextRequest()
      operation.context = try session.context()
      operation.player = try session.player(session.word(1, "PLAYER"))
      operation.accept = try session.isYes(2)
      try await session.show(operation)
    },
    Command(
      "context role", "CONTEXT PLAYER \(ContextRole.names.joined(separator: "|"))",
      "give a player a role in a group"
    ) { session in
      var operation = ChangeContextRole()
      operation.context = try session.context()
      operation.player = try session.player(session.word(1, "PLAYER"))
      operation.role = try session.named(session.word(2, "ROLE"), "ROLE")
      try await session.show(operation)
    },
    Command(
      "context settings", "CONTEXT", "change a group's name, size, policy or link",
      [name, size, policy, .init("new-link", nil, "Make the link that is given out void.")]
    ) { session in
      var operation = ChangeContextSettings()
      operation.context = try session.context()
      operation.name = session.arguments["name"]
      operation.sizeMax = try session.arguments["size"].map { try session.integer($0, "--size") }
      operation.policy = try session.policy()
      operation.renewsLink = session.arguments.has("new-link")
      try await session.show(operation)
    },
    Command("context remove", "CONTEXT PLAYER", "remove a player from a group") { session in
      var operation = RemoveFromContext()
      operation.context = try session.context()
      operation.player = try session.player(session.word(1, "PLAYER"))
      try await session.show(operation)
    },
    Command(
      "context close", "CONTEXT", "close a group for all",
      [.init("for-good", nil, "Nobody can open it again.")]
    ) { session in
      var operation = CloseContext()
      operation.context = try session.context()
      operation.isForGood = session.arguments.has("for-good")
      try await session.show(operation)
    },
    Command("context reopen", "CONTEXT", "open a group again that one owned") { session in
      var operation = ReopenContext()
      operation.context = try session.context()
      try await session.show(operation)
    },
    Command(
      "context choose", "[\(ChooseFilter.names.joined(separator: "|"))]",
      "contexts that a filter lets through",
      [
        .init("min", "NUMBER", "The least number of players."),
        .init("max", "NUMBER", "The greatest number of players."), .cursor,
      ]
    ) { session in
      var operation = ChooseContexts()
      if let filter = session.optionalWord(0) {
        operation.filter = try session.named(filter, "FILTER")
      }
      if let least = session.arguments["min"] {
        operation.minParticipants = try session.integer(least, "--min")
      }
      if let greatest = session.arguments["max"] {
        operation.maxParticipants = try session.integer(greatest, "--max")
      }
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command(
      "context suggest", "", "groups of friends to join, and friends to begin a context with",
      [.cursor]
    ) { session in
      var operation = SuggestContexts()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
  ]
}

extension Session {
  fileprivate func policy() throws(UsageError) -> JoinPolicy? { try named("policy") }
}
