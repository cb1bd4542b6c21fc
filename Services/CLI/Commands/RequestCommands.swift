import MusterKit

enum RequestCommands {
  static let all = [
    Command(
      "request send", "MESSAGE", "send a game request to friends",
      [
        .init("to", "PLAYER", "A recipient; may be given several times."),
        .init("action", "ACTION", "One of \(ActionType.names.joined(separator: ", "))."),
        .init("object", "ID", "The object to send or to ask for."),
        .init("data", "TEXT", "Up to 255 characters for the game."),
        .init("title", "TEXT", "The title of the dialog."),
        .init("cta", "TEXT", "The text of the button."),
      ], run: send),
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
    try await session.show(operation)
  }

  private static func answer(_ session: Session, accept: Bool) async throws {
    var operation = AnswerRequest()
    operation.request = try session.identifier(session.word(0, "REQUEST"), "REQUEST")
    operation.accept = accept
    try await session.show(operation)
  }
}
