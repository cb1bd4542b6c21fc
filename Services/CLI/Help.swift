import Terminal

/// What `--help` prints: of a command, of a group of commands, and of all of them.
enum Help {
  /// The columns where the output is no terminal.
  static let widthWithoutTerminal = 80

  /// As in `muster board top BOARD [--start RANK]`, without the options that every command takes.
  static func usage(_ command: Command) -> String {
    (["muster", command.name, command.words] + command.options.map { "[\($0.usage)]" })
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// - Parameter commands: all; those whose first word is the command's name are listed too.
  static func of(_ command: Command, among commands: [Command] = [], width: Int) -> String {
    let words = command.words.isEmpty ? "" : " " + command.words
    var lines = TextWrap.lines("muster \(command.name)\(words): \(command.summary)", columns: width)
    if !command.options.isEmpty {
      lines += ["", "options:"] + command.options.flatMap { Self.lines($0, width) }
    }
    if let group = ofGroup(command.name, of: commands, width: width) {
      lines += ["", "commands about \(command.name):", group]
    }
    lines += ["", "options of every command:"]
    lines += Command.common.flatMap { Self.lines($0, width) }
    lines += [""] + TextWrap.lines(ClientSettings.help, columns: width)
    return (lines + exitCodes(width)).joined(separator: "\n")
  }

  private static func lines(_ option: Command.Option, _ width: Int) -> [String] {
    let choices =
      option.choices.isEmpty ? "" : " One of \(option.choices.joined(separator: ", "))."
    return TextWrap.text(
      option.help + choices, after: "  \(option.usage)", column: optionColumn, width: width)
  }

  /// Returns the help for a group of commands, such as `board`; nil when there is no such group.
  static func ofGroup(_ word: String, of commands: [Command], width: Int) -> String? {
    let members = commands.filter { $0.name.hasPrefix(word + " ") }
    if members.isEmpty { return nil }
    return members.flatMap { line($0, width) }.joined(separator: "\n")
  }

  static func overview(of commands: [Command], width: Int) -> String {
    let title = "muster: players, contexts, requests, leaderboards and matches from a terminal"
    var lines: [String] = []
    var group: String?
    for command in commands {
      // Commands of one word, such as signup and whoami, stand together.
      let own = command.name.contains(" ") ? String(command.name.prefix { $0 != " " }) : ""
      if own != group { lines.append("") }
      group = own
      lines += line(command, width)
    }
    let notes = [
      "Begin with signup. PLAYER is a player's id or the name of one stored here (--as NAME). "
        + "Every command takes --help, --json, --as NAME, --game NAME and --gateway HOST:PORT, "
        + "after its name.",
      "Lists are tables for people; --json prints one JSON document, whose keys are the "
        + "protocol's field names, and one a line where things are told one after the other, as "
        + "by watch.",
      "`muster completion bash` prints a completion for bash; zsh and fish have theirs.",
      ClientSettings.help,
    ]
    return
      (TextWrap.lines(title, columns: width) + lines + [""]
      + notes.flatMap { TextWrap.lines($0, columns: width) }
      + exitCodes(width))
      .joined(separator: "\n")
  }

  private static func exitCodes(_ width: Int) -> [String] {
    ["Exit codes:"]
      + ExitCode.allCases.flatMap {
        TextWrap.text($0.meaning, after: "  \($0.rawValue)", column: 6, width: width)
      }
  }

  private static func line(_ command: Command, _ width: Int) -> [String] {
    let words = command.words.isEmpty ? "" : " " + command.words
    return TextWrap.text(
      command.summary, after: "  muster \(command.name)\(words)", column: summaryColumn,
      width: width)
  }

  /// Where the sentences begin.
  private static let summaryColumn = 38
  private static let optionColumn = 26
}
