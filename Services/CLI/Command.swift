import MusterKit

/// One command of `muster`: `muster GROUP NAME WORDS --options`.
struct Command {
  /// An option of a command: its name, the word that stands for its value in the help (nil for a
  /// flag) and a sentence of help.
  struct Option {
    var name: String
    var value: String?
    var help: String

    init(_ name: String, _ value: String?, _ help: String) {
      self.name = name
      self.value = value
      self.help = help
    }
  }

  /// One or two words, such as `request send`.
  var name: String
  /// The words after the name, as in `PLAYER [MESSAGE]`.
  var words: String
  var summary: String
  var options: [Option]
  var run: @Sendable (Session) async throws -> Void

  init(
    _ name: String, _ words: String = "", _ summary: String, _ options: [Option] = [],
    run: @escaping @Sendable (Session) async throws -> Void
  ) {
    self.name = name
    self.words = words
    self.summary = summary
    self.options = options
    self.run = run
  }

  /// Options that every command takes.
  static let common: [Option] = [
    Option("gateway", "HOST:PORT", "The gateway (MUSTER_GATEWAY; default 127.0.0.1:7400)."),
    Option(
      "authority", "FILE",
      "PEM of the authority to trust in place of the system's (MUSTER_AUTHORITY)."),
    Option("server-name", "NAME", "The name in the gateway's certificate, if not the host's."),
    Option("game", "NAME", "The game (MUSTER_GAME; default demo)."),
    Option(
      "as", "NAME", "Whose stored credential to use (MUSTER_AS; default player)."),
    Option(
      "players", "DIRECTORY", "Where credentials are (MUSTER_PLAYERS; default .muster/players)."),
    Option("deadline", "SECONDS", "How long to wait for an answer (default 10)."),
    Option("json", nil, "Print JSON, one document a line."),
    Option("help", nil, "Print this command's help."),
  ]

  /// How many words may follow the name; nil for any number.
  var wordCountMax: Int? { words.hasSuffix("...") ? nil : words.split(separator: " ").count }

  var help: String {
    var lines = [
      "muster \(name)\(words.isEmpty ? "" : " " + words): \(summary)", "", "options:",
    ]
    for option in options + Command.common {
      lines.append("  --\(option.name)\(option.value.map { " " + $0 } ?? "")")
      lines.append("      \(option.help)")
    }
    return (lines + ["", ClientSettings.help]).joined(separator: "\n")
  }
}

extension Command.Option {
  /// The option of commands whose lists come in pages.
  static let cursor = Self("cursor", "CURSOR", "The cursor at the end of the page before.")
}
