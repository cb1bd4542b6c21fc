import Foundation
import Stack
import Testing

@testable import muster

/// Shells run the scripts as they do for a user; one that is not installed is skipped.
@Suite struct CompletionTests {
  private static let tree = CompletionTree(commands: Main.commands)

  private static func isInstalled(_ shell: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  /// Runs a shell in a folder with players and files, and returns what it prints.
  ///
  /// - Parameter others: further names of files where the players are.
  private func run(_ shell: [String], _ script: String, others: [String] = []) async throws
    -> [String]
  {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-completion-\(UUID().uuidString)")
    let players = place.appendingPathComponent("players")
    try FileManager.default.createDirectory(at: players, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    for name in ["ada", "ben"] + others {
      try Data().write(to: players.appendingPathComponent(name))
    }
    try Data().write(to: place.appendingPathComponent("two words.json"))
    let process = try ServerProcess(
      name: shell[0], executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: shell + ["cd '\(place.path)' && \(script)"],
      environment: ["MUSTER_PLAYERS": players.path])
    let code = await process.ended()
    #expect(code == 0, "\(process.errors)")
    return process.output.split(separator: "\n").map(String.init)
  }

  /// What bash offers for the last word of a line.
  private func bash(
    _ line: [String], others: [String] = [], then more: String = ""
  ) async throws -> [String] {
    let words = line.map { "'\($0)'" }.joined(separator: " ")
    return try await run(
      ["bash", "-c"],
      """
      \(ShellScript.bash(Self.tree))
      set -u
      COMP_WORDS=(muster \(words)) COMP_CWORD=\(line.count)
      _muster
      printf '%s\\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
      \(more)
      """, others: others)
  }

  @Test(
    "bash completes names, options, values, stored players and files",
    .enabled(if: CompletionTests.isInstalled("bash")),
    arguments: [
      (["boa"], ["board"]), (["board", "to"], ["top"]), (["nothing", ""], []),
      (["board", "top", "--sta"], ["--start"]), (["board", "top", "laps", "--js"], ["--json"]),
      (["board", "top", "--time", ""], ["allTime", "today", "week"]),
      (["board", "top", "--time", "=", "w"], ["week"]), (["board", "top", "--count", ""], []),
      (["whoami", "--color", "="], ["auto", "always", "never"]),
      (["friend", "invite", ""], ["ada", "ben"]), (["friend", "invite", "ada", ""], []),
      (["friend", "invite", "--json", "b"], ["ben"]),
      (["friend", "import", "ada", "b"], ["ben"]),
      (["challenge", "issue", "b"], []), (["challenge", "issue", "laps", "b"], ["ben"]),
      (["whoami", "--as", "a"], ["ada"]), (["apply", "two"], ["two words.json"]),
      (["whoami", "--players", ""], ["players"]),
      (["context", "answer", "c", "ada", ""], ["yes", "no"]),
      (["match", "i"], ["invite", "invites"]),
      (["completion", ""], ["bash", "zsh", "fish"]),
    ] as [([String], [String])])
  func bash(_ line: [String], _ expected: [String]) async throws {
    #expect(try await bash(line) == expected)
  }

  private static let commands = [
    "$(touch made)", "`touch made`", "$MUSTER_PLAYERS", "b;touch made",
  ]

  @Test(
    "bash neither runs nor offers a file's name that is a command",
    .enabled(if: CompletionTests.isInstalled("bash")), arguments: ["", "$", "b"])
  func commandsInNames(_ word: String) async throws {
    let shown = try await bash(
      ["whoami", "--as", word], others: Self.commands, then: "if [ -e made ]; then echo made; fi")
    #expect(shown == ["": ["ada", "ben"], "$": [], "b": ["ben"]][word])
  }

  @Test(
    "zsh and fish offer players' names alone",
    arguments: [
      (["zsh", "-fc"], "compdef() { : }\n\(ShellScript.zsh(tree))\n_muster_players"),
      (["fish", "-c"], "\(FishScript.text(tree))\n__muster_players"),
    ])
  func playersAlone(_ shell: [String], _ script: String) async throws {
    guard Self.isInstalled(shell[0]) else { return }
    let shown = try await run(shell, script, others: Self.commands)
    #expect(shown == ["ada", "ben"])
  }

  @Test(
    "bash completes every command's name and every option of it, in one run",
    .enabled(if: CompletionTests.isInstalled("bash")))
  func allOfBash() async throws {
    let lines = Main.commands.map { "_muster_candidates muster \($0.name) -; echo ." }
    let shown = try await run(
      ["bash", "-c"], ShellScript.bash(Self.tree) + lines.joined(separator: "\n"))
    let blocks = shown.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    #expect(blocks.count == Main.commands.count)
    for (command, block) in zip(Main.commands, blocks) {
      let options = CompletionTree.options(command).map { "--\($0.name)" }
      #expect(Array(block) == options, "\(command.name)")
    }
  }

  @Test(
    "zsh completes by the same functions", .enabled(if: CompletionTests.isInstalled("zsh")))
  func zsh() async throws {
    let script = """
      compdef() { : }
      \(ShellScript.zsh(Self.tree))
      _muster_candidates muster board top --time ''
      """
    #expect(try await run(["zsh", "-fc"], script) == ["allTime", "today", "week"])
  }

  @Test("fish completes a second word", .enabled(if: CompletionTests.isInstalled("fish")))
  func fish() async throws {
    let script = "\(FishScript.text(Self.tree))\ncomplete -C 'muster board to'"
    let shown = try await run(["fish", "-c"], script)
    #expect(shown.map { $0.prefix(3) } == ["top"])
  }

  @Test("each word of a usage is what a shell can complete")
  func words() {
    #expect(CompletedValue("[PLAYER]...") == .players)
    #expect(CompletedValue("TOKEN-FILE") == .files)
    #expect(CompletedValue("on|off") == .choices(["on", "off"]))
    #expect(CompletedValue("BOARD") == .any)
  }
}
