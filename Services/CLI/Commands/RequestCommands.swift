import MusterKit

enum RequestCommands {
  static let all = [
    Command(
      "request send", "MESSAGE", "send a game request to friends",
      [
        .init("to", "PLAYER", "A player or an invite token; may be given several times."),
        .init("action", "ACTION", "What the request is for.", choices: ActionType.names),
        .init("object", "ID", "The object to send or to ask for."),
        .init("data", "TEXT", "Up to 255 characters for the game."),
        .init("title", "TEXT", "The title of the dialog."),
        .init("cta", "TEXT", "The text of the button."),
        .init("frictionless", nil, "Send only if all recipients have agreed (`consent give`)."),
        .init("receipts", nil, "Be told by an event when it is on a recipient's list."),
      ], run: send),
    Command(
      "request choose", "", "friends to whom a request may go",
      [
        .init("filter", "FILTER", "Which friends.", choices: RequestFilter.names),
        .init("suggest", "PLAYER", "Who comes first; may be given several times."),
        .init("search", "TEXT", "A part of the name."), .cursor,
      ]
    ) { session in
      var operation = SelectRecipients()
      if let filter: RequestFilter = try session.named("filter") { operation.filters = filter }
      operation.recipientSuggestions = try session.arguments.all("suggest")
        .map { text in try session.player(text) }
      operation.search = session.arguments["search"] ?? ""
      operation.cursor = session.arguments["cursor"] ?? ""
      let selection = operation
      let page = try await session.asPlayer { try await $0.selectRecipients(selection) }
      session.output.show(page)
    },
    Command(
      "request inbox", "", "requests received and not yet dealt with", [.cursor]
    ) { session in
      var operation = Inbox()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command("request accept", "REQUEST", "accept a request; its sender is told") { session in
      try await answer(session, accept: true)
    },
    Command("request decline", "REQUEST", "decline a request; its sender is told") { session in
      try await answer(session, accept: false)
    },
    Command("request delete", "REQUEST", "remove a request; nobody is told") { session in
      var operation = DeleteRequest()
      operation.request = try session.identifier(session.word(0, "REQUEST"), "REQUEST")
      try await session.show(operation)
    },
  ]

  private static func send(_ session: Session) async throws {
    var operation = SendRequest()
    operation.message = try session.word(0, "MESSAGE")
    operation.recipients = session.arguments.all("to").map { text in
      (try? session.player(text))?.description ?? text
    }
    if let action: ActionType = try session.named("action") { operation.actionType = action }
    operation.objectID = session.arguments["object"] ?? ""
    operation.data = session.arguments["data"]
    operation.title = session.arguments["title"] ?? ""
    operation.cta = session.arguments["cta"] ?? ""
    operation.isFrictionless = session.arguments.has("frictionless")
    operation.wantsReceipts = session.arguments.has("receipts")
    try await session.show(operation)
  }

  private static func answer(_ session: Session, accept: Bool) async throws {
    var operation = AnswerRequest()
    operation.request = try session.identifier(session.word(0, "REQUEST"), "REQUEST")
    operation.accept = accept
    try await session.show(operation)
  }
}
