import MusterKit

enum ContextCommands {
  static let all =
    [
      Command("context solo", "", "create a context with nobody else and enter it") { session in
        try await session.show(CreateSoloContext())
      },
      Command("context with", "PLAYER", "create or enter the context with a friend") { session in
        var operation = CreatePairContext()
        operation.player = try session.player(session.word(0, "PLAYER"))
        try await session.show(operation)
      },
      Command(
        "context switch", "CONTEXT", "enter a context of the player's, or accept an invitation"
      ) { session in
        var operation = SwitchContext()
        operation.context = try session.context()
        try await session.show(operation)
      },
      Command("context show", "CONTEXT", "players, size and times of a context") { session in
        var operation = GetContext()
        operation.context = try session.context()
        try await session.show(operation)
      },
      Command("context leave", "CONTEXT", "leave a context, or decline to enter it") { session in
        var operation = LeaveContext()
        operation.context = try session.context()
        try await session.show(operation)
      },
      Command("context current", "", "the context that the player is in") { session in
        try await session.show(CurrentContext())
      },
      Command(
        "context list", "", "the player's contexts, the most recently active first",
        [.cursor]
      ) { session in
        var operation = ListContexts()
        operation.cursor = session.arguments["cursor"] ?? ""
        try await session.show(operation)
      },
    ] + GroupCommands.all
}
