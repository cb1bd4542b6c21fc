/// The completion for fish: a line for each word and for each option, under the condition that the
/// words before it are those of its command.
enum FishScript {
  static func text(_ tree: CompletionTree) -> String {
    """
    # Completion of muster for fish. For this shell: muster completion fish | source
    # For all to come: muster completion fish >~/.config/fish/completions/muster.fish

    set -g __muster_commands \(tree.commands.map { quoted($0.name) }.joined(separator: " "))

    # Prints the command whose words, or first word, stand on the line already.
    function __muster_command
      set -l words (commandline -opc)
      if test (count $words) -ge 3; and contains -- "$words[2] $words[3]" $__muster_commands
        echo "$words[2] $words[3]"
      else if test (count $words) -ge 2
        echo $words[2]
      end
    end

    function __muster_is
      set -l name (__muster_command)
      test "$name" = "$argv[1]"
    end

    # Whether the next word is the second one of the line.
    function __muster_is_at_second
      test (count (commandline -opc)) -eq 2; and __muster_is $argv[1]
    end

    function __muster_players
      set -l directory .muster/players
      set -q MUSTER_PLAYERS; and set directory $MUSTER_PLAYERS
      # A file of any other name is no player's.
      command ls -- $directory 2>/dev/null | string match -r '^[A-Za-z0-9._-]+$'
    end

    complete -c muster -f
    \((names(tree) + words(tree) + options(tree)).joined(separator: "\n"))

    """
  }

  private static func names(_ tree: CompletionTree) -> [String] {
    tree.firstWords.flatMap { word -> [String] in
      let alone = tree.commands.first { $0.name == word }
      let summary = alone?.summary ?? "commands about \(word)"
      let first = "complete -c muster -n '__muster_is \"\"' -a \(word) -d \(quoted(summary))"
      let seconds = tree.secondWords(after: word).map { second in
        "complete -c muster -n '__muster_is_at_second \(word)' -a \(second.word) "
          + "-d \(quoted(second.command.summary))"
      }
      return [first] + seconds
    }
  }

  /// Fish is told of no places: all that may stand after the name of a command.
  private static func words(_ tree: CompletionTree) -> [String] {
    tree.commands.flatMap { command in
      CompletionTree.values(command).values.compactMap { value in
        let condition = "complete -c muster \(condition(command))"
        switch value {
        case .choices(let choices):
          return "\(condition) -a \(quoted(choices.joined(separator: " ")))"
        case .files, .directories: return "\(condition) -F"
        case .players: return "\(condition) -a '(__muster_players)'"
        case .any: return nil
        }
      }
    }
  }

  private static func options(_ tree: CompletionTree) -> [String] {
    tree.commands.flatMap { command in
      command.options.map { "complete -c muster \(condition(command)) \(option($0))" }
    } + Command.common.map { "complete -c muster \(option($0))" }
  }

  private static func condition(_ command: Command) -> String {
    "-n '__muster_is \"\(command.name)\"'"
  }

  private static func option(_ option: Command.Option) -> String {
    let value =
      if option.value == nil {
        ""
      } else {
        switch CompletedValue(option) {
        case .choices(let choices): " -x -a \(quoted(choices.joined(separator: " ")))"
        case .files, .directories: " -r -F"
        case .players: " -x -a '(__muster_players)'"
        case .any: " -x"
        }
      }
    return "-l \(option.name)\(value) -d \(quoted(option.help))"
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.map { "'\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    return "'\(escaped)'"
  }
}
