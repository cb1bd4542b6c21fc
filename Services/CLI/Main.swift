import MusterKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `muster`: the command with which players, developers and operators use Muster from a terminal.
@main
enum Main {
  /// The exit codes; those of `sysexits.h` where it has one.
  enum ExitCode: Int32 {
    case success = 0
    /// The server refused the call.
    case refused = 1
    case usage = 64
    case unavailable = 69
    case software = 70
    /// The file with the result cannot be written.
    case inputOutput = 74
    /// Nobody knows whether the call took effect; making it again may double it.
    case outcomeUnknown = 75
  }

  static let commands: [Command] =
    PlayerCommands.all + AccountCommands.all + PhotoCommands.all + FriendCommands.all
    + ContextCommands.all + TurnCommands.all + QueueCommands.all + RequestCommands.all
    + TokenCommands.all
    + BoardCommands.all
    + AchievementCommands.all + ChallengeCommands.all + OperatorCommands.all + LiveCommands.all
    + EraseCommand.all + [
      ExportCommand.command, TourCommand.command,
    ]

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code = await run(arguments)
    exit(code.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitCode {
    if arguments.first == "--version" {
      print("muster \(MusterVersion.text)")
      return .success
    }
    if arguments.first == "help" { return await run(arguments.dropFirst() + ["--help"]) }
    guard let command = find(arguments) else {
      if arguments.isEmpty || asksForHelp(arguments.prefix(1)) {
        print(overview)
        return .success
      }
      if let group = group(arguments) {
        print(group)
        return arguments.count == 1 ? .usage : .success
      }
      let words = arguments.prefix(2).prefix { !$0.hasPrefix("-") }
      let name = (words.isEmpty ? arguments.prefix(1) : words).joined(separator: " ")
      complain("There is no command \(name).", hint: "muster --help")
      return .usage
    }
    let rest = arguments.dropFirst(command.name.split(separator: " ").count)
    if asksForHelp(rest) {
      print(command.help)
      return .success
    }
    return await run(command, rest)
  }

  private static func run(_ command: Command, _ rest: ArraySlice<String>) async -> ExitCode {
    let hint = "muster \(command.name) --help"
    do {
      let options = command.options + Command.common
      let parsed = try Arguments(
        rest, flags: Set(options.filter { $0.value == nil }.map(\.name)),
        known: Set(options.map(\.name)))
      if let most = command.wordCountMax, parsed.words.count > most {
        throw UsageError(
          "\(parsed.words[most]) is one word too many. Quote a text with spaces: \"two words\".")
      }
      try await command.run(Session(arguments: parsed, settings: ClientSettings(parsed)))
      return .success
    } catch let error as UsageError {
      complain(error.text, hint: hint)
      return .usage
    } catch let error as MusterError {
      // The file of an authority cannot be used: nobody was called.
      if error.argument == "trust" {
        complain("\(error.text).", hint: hint)
        return .usage
      }
      complain("\(error)", hint: nil)
      if error.isOutcomeUnknown { return .outcomeUnknown }
      return error.code.isTransient ? .unavailable : .refused
    } catch let error as ResultFileError {
      complain(error.text, hint: nil)
      return .inputOutput
    } catch {
      complain("\(error)", hint: nil)
      return .software
    }
  }

  private static func asksForHelp(_ words: ArraySlice<String>) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private static func find(_ arguments: [String]) -> Command? {
    commands.first { command in
      let name = command.name.split(separator: " ").map(String.init)
      return Array(arguments.prefix(name.count)) == name
    }
  }

  /// Returns the help for a group of commands when the command line is only the group's name, or
  /// the name and a wish for help.
  private static func group(_ arguments: [String]) -> String? {
    guard let word = arguments.first, arguments.dropFirst().allSatisfy({ asksForHelp([$0]) })
    else {
      return nil
    }
    let members = commands.filter { $0.name.hasPrefix(word + " ") }
    return members.isEmpty ? nil : lines(members)
  }

  private static func complain(_ text: String, hint: String?) {
    let line = "muster: \(text)" + (hint.map { " See: \($0)" } ?? "") + "\n"
    unsafe _ = write(STDERR_FILENO, line, line.utf8.count)
  }

  private static func lines(_ commands: [Command]) -> String {
    let width = commands.map { $0.name.count + $0.words.count + 1 }.max() ?? 0
    return commands.map { command in
      let call = "\(command.name) \(command.words)"
      let space = String(repeating: " ", count: width + 2 - call.count)
      return "  muster \(call)\(space)\(command.summary)"
    }.joined(separator: "\n")
  }

  private static var overview: String {
    """
    muster: players, contexts, requests, leaderboards and matches from a terminal

    \(lines(commands))

    Begin with signup. PLAYER is a player's id or the name of one stored here (--as NAME).
    Every command takes --help, --json, --as NAME, --game NAME and --gateway HOST:PORT.
    \(ClientSettings.help)
    Exit codes: 0 done, 1 refused by the server, 64 wrong command line, 69 not reachable now,
    74 the file cannot be written, 75 nobody knows whether it was done.
    """
  }
}
