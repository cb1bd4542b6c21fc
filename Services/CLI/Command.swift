import MusterKit
import Terminal

/// One command of `muster`: `muster GROUP NAME WORDS --options`. Its help, the wrong lines that are
/// refused and the shells' completions follow from it.
struct Command {
  /// An option of a command.
  struct Option {
    var name: String
    /// The word that stands for its value in the help; nil for a flag.
    var value: String?
    /// A sentence of help.
    var help: String
    /// The values that there are; empty where any may be given.
    var choices: [String]

    init(_ name: String, _ value: String?, _ help: String, choices: [String] = []) {
      self.name = name
      self.value = value
      self.help = help
      self.choices = choices
    }
  }

  /// One or two words, such as `request send`.
  var name: String
  /// The words after the name, as in `PLAYER [MESSAGE]`; `yes|no` is one of the two.
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
      "as", "STORED-NAME", "Whose stored credential to use (MUSTER_AS; default player)."),
    Option(
      "players", "DIRECTORY", "Where credentials are (MUSTER_PLAYERS; default .muster/players)."),
    Option("deadline", "SECONDS", "How long to wait for an answer (default 10)."),
    Option(
      "json", nil,
      "Print JSON only, with the protocol's field names."),
    Option(
      "color", "WHEN",
      "Whether to use colours (default auto: on a terminal, unless NO_COLOR is set or TERM is "
        + "dumb).",
      choices: Paint.Choice.allCases.map(\.rawValue)),
    Option("help", nil, "Print this command's help."),
  ]

  /// How many words may follow the name; nil for any number.
  var wordCountMax: Int? { words.hasSuffix("...") ? nil : words.split(separator: " ").count }
}

extension Command.Option {
  /// The option of commands whose lists come in pages.
  static let cursor = Self("cursor", "CURSOR", "The cursor at the end of the page before.")

  /// As in `--count NUMBER`.
  var usage: String { "--\(name)" + (value.map { " " + $0 } ?? "") }
}
