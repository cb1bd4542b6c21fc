/// The completion for bash and for zsh: functions that know the commands, in the language that both
/// speak, and a few lines for each that ask them.
enum ShellScript {
  static func bash(_ tree: CompletionTree) -> String {
    """
    # Completion of muster for bash. For this shell: source <(muster completion bash)
    # For all to come: muster completion bash >~/.local/share/bash-completion/completions/muster
    \(functions(tree))

    _muster() {
      local current=${COMP_WORDS[COMP_CWORD]} candidates word
      # Bash makes three words of --as=ben.
      if [ "$current" = '=' ]; then current=''; fi
      candidates=$(_muster_candidates "${COMP_WORDS[@]:0:COMP_CWORD}" "$current")
      case $candidates in
        :files) candidates=$(compgen -f -- "$current"); compopt -o filenames 2>/dev/null ;;
        :directories) candidates=$(compgen -d -- "$current"); compopt -o filenames 2>/dev/null ;;
      esac
      COMPREPLY=()
      # Not by compgen -W, which runs the commands in a word such as $(date).
      while IFS= read -r word; do
        case $word in '') ;; "$current"*) COMPREPLY+=("$word") ;; esac
      done <<<"$candidates"
    }
    complete -F _muster muster

    """
  }

  static func zsh(_ tree: CompletionTree) -> String {
    """
    #compdef muster
    # Completion of muster for zsh. For this shell: source <(muster completion zsh)
    # For all to come: muster completion zsh >_muster, in a folder of $fpath.
    \(functions(tree))

    _muster() {
      local current=${words[CURRENT]} option=''
      local -a candidates before
      before=("${(@)words[1,CURRENT-1]}")
      if [[ $current == --*=* ]]; then
        before+=("${current%%=*}")
        current=${current#*=}
        compset -P '*='
      fi
      candidates=("${(@f)$(_muster_candidates "${before[@]}" "$current")}")
      case ${candidates[1]} in
        :files) _files ;;
        :directories) _files -/ ;;
        *) compadd -- ${candidates:#} ;;
      esac
    }
    if [ "${funcstack[1]}" = _muster ]; then _muster "$@"; else compdef _muster muster; fi

    """
  }

  private static func functions(_ tree: CompletionTree) -> String {
    """

    # Prints what may stand in the place of the last argument, a candidate a line; or :files or
    # :directories. The arguments are the words of the line, muster first.
    _muster_candidates() {
      local name='' count=0 option='' word=''
      shift
      while [ $# -gt 1 ]; do
        word=$1
        shift
        if [ -n "$option" ]; then
          if [ "$word" != '=' ]; then option=''; fi
          continue
        fi
        case $word in
          --*=*) ;;
          --*) if _muster_takes_value "$name|$word"; then option=$word; fi ;;
          *)
            if [ "$count" = 0 ] && _muster_knows "${name:+$name }$word"; then
              name=${name:+$name }$word
            else
              count=$((count + 1))
            fi ;;
        esac
      done
      if [ -n "$option" ]; then _muster_value "$name|$option"; return; fi
      case $1 in -*) _muster_options "$name"; return ;; esac
      if [ "$count" = 0 ]; then _muster_next "$name"; fi
      _muster_word "$name" $((count + 1))
    }

    # A file of any other name is no player's, and may be a command once it is in the line.
    _muster_players() {
      command ls -- "${MUSTER_PLAYERS:-.muster/players}" 2>/dev/null | while IFS= read -r word; do
        case $word in *[!A-Za-z0-9._-]*) ;; *) printf '%s\n' "$word" ;; esac
      done
    }

    # The words that may follow the first one of a command's name.
    _muster_next() {
      case $1 in
    \(cases(next(tree)))
      esac
    }

    _muster_knows() {
      case $1 in
    \(tree.firstWords.map { "    \(quoted($0))) return 0 ;;" }.joined(separator: "\n"))
    \(names(tree).map { "    \(quoted($0))) return 0 ;;" }.joined(separator: "\n"))
      esac
      return 1
    }

    # What the word at a place after a command's name may be.
    _muster_word() {
      case "$1:$2" in
    \(cases(words(tree)))
      esac
    }

    _muster_options() {
      case $1 in
    \(cases(options(tree)))
      esac
      \(print(Command.common.map { "--\($0.name)" }))
    }

    _muster_takes_value() {
      case $1 in
    \(flags(tree).map { "    \($0)) return 1 ;;" }.joined(separator: "\n"))
      esac
    }

    _muster_value() {
      case $1 in
    \(cases(values(tree)))
      esac
    }
    """
  }

  // MARK: What the functions know

  private typealias Case = (pattern: String, body: String)

  private static func next(_ tree: CompletionTree) -> [Case] {
    [("''", print(tree.firstWords))]
      + tree.firstWords.compactMap { word in
        let seconds = tree.secondWords(after: word).map(\.word)
        return seconds.isEmpty ? nil : (quoted(word), print(seconds))
      }
  }

  private static func names(_ tree: CompletionTree) -> [String] {
    tree.commands.map(\.name).filter { $0.contains(" ") }
  }

  private static func words(_ tree: CompletionTree) -> [Case] {
    tree.commands.flatMap { command -> [Case] in
      let (values, repeats) = CompletionTree.values(command)
      return values.enumerated().compactMap { place, value in
        let isLast = place == values.count - 1
        // A word before those that repeat has a case of its own, or else it is taken for one.
        guard let body = body(value) ?? (repeats && !isLast ? ":" : nil) else { return nil }
        return (quoted("\(command.name):") + (isLast && repeats ? "*" : "\(place + 1)"), body)
      }
    }
  }

  private static func options(_ tree: CompletionTree) -> [Case] {
    tree.commands.filter { !$0.options.isEmpty }.map { command in
      (quoted(command.name), print(command.options.map { "--\($0.name)" }))
    }
  }

  private static func flags(_ tree: CompletionTree) -> [String] {
    let own = tree.commands.flatMap { command in
      command.options.filter { $0.value == nil }.map { quoted("\(command.name)|--\($0.name)") }
    }
    return own + Command.common.filter { $0.value == nil }.map { "*" + quoted("|--\($0.name)") }
  }

  private static func values(_ tree: CompletionTree) -> [Case] {
    func cases(_ options: [Command.Option], _ pattern: (String) -> String) -> [Case] {
      options.filter { $0.value != nil }.compactMap { option in
        body(CompletedValue(option)).map { (pattern(option.name), $0) }
      }
    }
    return tree.commands.flatMap { command in
      cases(command.options) { quoted("\(command.name)|--\($0)") }
    } + cases(Command.common) { "*" + quoted("|--\($0)") }
  }

  // MARK: Shell

  private static func body(_ value: CompletedValue) -> String? {
    switch value {
    case .choices(let choices): print(choices)
    case .files: "echo :files"
    case .directories: "echo :directories"
    case .players: "_muster_players"
    case .any: nil
    }
  }

  private static func cases(_ cases: [Case]) -> String {
    cases.map { "    \($0.pattern)) \($0.body) ;;" }.joined(separator: "\n")
  }

  private static func print(_ words: [String]) -> String {
    #"printf '%s\n' "# + words.map { quoted($0) }.joined(separator: " ")
  }

  /// A plain word stays as it is.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty
      ? text
      : "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
