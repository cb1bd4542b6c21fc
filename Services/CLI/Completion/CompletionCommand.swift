/// `muster completion`: a script that teaches a shell the commands and their options.
enum CompletionCommand {
  static let command = Command(
    "completion", "bash|zsh|fish",
    "print a completion for a shell, which its first lines say how to use"
  ) { session in
    let tree = CompletionTree(commands: Main.commands)
    let script =
      switch try session.word(0, "bash, zsh or fish") {
      case "bash": ShellScript.bash(tree)
      case "zsh": ShellScript.zsh(tree)
      case "fish": FishScript.text(tree)
      case let other:
        throw UsageError("There is a completion for bash, zsh and fish, not \(other).")
      }
    session.output.print(script)
  }
}
