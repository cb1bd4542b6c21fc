import Terminal

/// What `--help` prints: of a command, of a group of commands, and of all of them.
enum Help {
  /// As in `muster board top BOARD [--start RANK]`, without the options that every command takes.
  static func usage(_ command: Command) -> String {
    (["muster", command.name, command.words] + command.options.map { "[\($0.usage)]" })
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  static func of(_ command: Command) -> String {
    let words = command.words.isEmpty ? "" : " " + command.words
    var lines = ["muster \(command.name)\(words): \(command.summary)", ""]
    if !command.options.isEmpty {
      lines += ["options:"] + command.options.flatMap { Self.lines($0) } + [""]
    }
    lines += ["options of every command:"] + Command.common.flatMap { Self.lines($0) }
    return (lines + ["", ClientSettings.help, exitCodes]).joined(separator: "\n")
  }

  private static func lines(_ option: Command.Option) -> [String] {
    let choices =
      option.choices.isEmpty ? "" : " One of \(option.choices.joined(separator: ", "))."
    return ["  \(option.usage)", "      \(option.help)\(choices)"]
  }

  /// Returns the help for a group of commands, such as `board`; nil when there is no such group.
  static func ofGroup(_ word: String, of commands: [Command]) -> String? {
    let members = commands.filter { $0.name.hasPrefix(word + " ") }
    return members.isEmpty ? nil : lines(members)
  }

  static func overview(of commands: [Command]) -> String {
    """
    muster: players, contexts, requests, leaderboards and matches from a terminal

    \(lines(commands))

    Begin with signup. PLAYER is a player's id or the name of one stored here (--as NAME).
    Every command takes --help, --json, --as NAME, --game NAME and --gateway HOST:PORT, after its
    name. Lists are tables for people; --json prints one JSON document, whose keys are the
    protocol's field names, and one a line where things are told one after the other, as by watch.
    `muster completion bash` prints a completion for bash; zsh and fish have theirs.
    \(ClientSettings.help)
    \(exitCodes)
    """
  }

  static var exitCodes: String {
    "Exit codes:\n"
      + ExitCode.allCases.map { "  \($0.rawValue)  ".padded(to: 6) + $0.meaning }
      .joined(separator: "\n")
  }

  private static func lines(_ commands: [Command]) -> String {
    let calls = commands.map { "\($0.name) \($0.words)" }
    let width = calls.map { TextWidth.of($0) }.max() ?? 0
    return zip(commands, calls).map { command, call in
      "  muster \(call.padded(to: width + 2))\(command.summary)"
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - TextWidth.of(self)))
  }
}
