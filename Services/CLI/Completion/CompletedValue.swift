/// What a shell may put in the place of a word or of an option's value, by the word that stands for
/// it in the usage.
enum CompletedValue: Equatable {
  case choices([String])
  case files
  case directories
  /// Names of players who are stored here.
  case players
  /// Only the user knows.
  case any

  /// - Parameter word: as in `PLAYER`, `[FILE]`, `yes|no` or `PLAYER...`.
  init(_ word: String) {
    let bare = word.filter { !"[].".contains($0) }
    let isChoice = bare.contains("|")
    self =
      if isChoice {
        .choices(bare.split(separator: "|").map(String.init))
      } else if bare == "FILE" || bare.hasSuffix("-FILE") {
        .files
      } else {
        switch bare {
        case "DIRECTORY": .directories
        case "PLAYER", "INVITER", "STORED-NAME": .players
        default: .any
        }
      }
  }

  init(_ option: Command.Option) {
    self = option.choices.isEmpty ? Self(option.value ?? "") : .choices(option.choices)
  }
}

/// The commands as a completion sees them.
struct CompletionTree {
  let commands: [Command]

  /// The first words of all commands, each once.
  var firstWords: [String] {
    var seen: Set<String> = []
    return commands.map { Self.words($0)[0] }.filter { seen.insert($0).inserted }
  }

  /// The second words of the commands that begin with `word`, with the command.
  func secondWords(after word: String) -> [(word: String, command: Command)] {
    commands.compactMap { command in
      let words = Self.words(command)
      return words.count == 2 && words[0] == word ? (words[1], command) : nil
    }
  }

  /// What the words after a command's name may be. The last one repeats where it ends in dots.
  static func values(_ command: Command) -> (values: [CompletedValue], repeats: Bool) {
    let words = command.words.split(separator: " ").map(String.init)
    return (words.map { CompletedValue($0) }, command.words.hasSuffix("..."))
  }

  static func options(_ command: Command) -> [Command.Option] { command.options + Command.common }

  private static func words(_ command: Command) -> [String] {
    command.name.split(separator: " ").map(String.init)
  }
}
