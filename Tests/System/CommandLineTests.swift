import Foundation
import Stack
import Testing

extension System {
  /// What the `muster` command says where nobody serves: its help, and what is wrong with a line.
  @Suite struct CommandLines {
    private func expectUsage(
      _ line: [String], _ environment: [String: String] = [:], says text: String,
      _ location: SourceLocation = #_sourceLocation
    ) async throws {
      let command = try Tools.muster(line, environment)
      #expect(await command.ended() == 64, "\(command.output)", sourceLocation: location)
      #expect(command.errors.contains(text), "\(command.errors)", sourceLocation: location)
    }

    private func withFile(
      _ text: String, _ body: (String) async throws -> Void
    ) async throws {
      let path = NSTemporaryDirectory() + "muster-command-\(UUID().uuidString)"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: path) }
      try await body(path)
    }

    @Test(
      "help is found by each of its names",
      arguments: [
        (["-h"], "Begin with signup"), (["help"], "Begin with signup"),
        (["tour", "-h"], "--pace"), (["tour", "-h"], "declared if need be"),
        (["watch", "-h"], "also where the stream ends"),
        (["help", "signup"], "muster signup DISPLAY-NAME: make"),
        (["help", "board", "submit"], "--ticket TICKET"),
        (["help", "challenge", "issue"], "--value VALUE"),
        (["help", "board"], "muster board submit BOARD VALUE"),
        (["board", "-h"], "muster board submit BOARD VALUE"),
        (["board", "restrict", "--help"], "quarantine|release|ban|unban"),
        (["help"], "MUSTER_CLIENT"),
      ])
    func help(_ line: [String], _ text: String) async throws {
      let command = try Tools.muster(line)
      #expect(await command.ended() == 0, "\(command.errors)")
      #expect(command.output.contains(text), "\(command.output)")
    }

    @Test(
      "what is wrong with a command line is told",
      arguments: [
        (["help", "nothing"], "no command nothing."), (["--nothing"], "no command --nothing."),
        (["bord", "top"], "Did you mean `muster board top`?"),
        (["signupp", "Ada"], "Did you mean `muster signup`?"),
        (["board", "gone"], "`muster board` lists those that there are."),
        (["--as", "ben", "whoami"], "Options come after a command's name."),
        (["whoami", "--jsn"], "Did you mean --json?"),
        (["board", "top"], "usage: muster board top BOARD [--start RANK]"),
        (["whoami", "--color", "blue"], "--color is one of auto, always, never, not blue."),
        (["challenge", "return"], "`muster challenge return` takes on or off."),
        (["board", "rerank", "high-score"], "--sort-order, --tie-rule or --aggregation"),
        (["game", "declare", "chess", "--game", "demo"], "takes the game as NAME, and no --game"),
        (["whoami", "--gateway", "[::1]"], "host:port"),
        (["whoami", "--gateway", ":7400"], "host:port"),
      ])
    func faults(_ line: [String], _ text: String) async throws {
      try await expectUsage(line, says: text)
    }

    @Test("after -- a word that looks like an option is a word")
    func words() async throws {
      try await expectUsage(["whoami", "--", "--help"], says: "--help is one word too many")
    }

    @Test("an authority that cannot be read is a fault of the command line")
    func authority() async throws {
      // The room for the player is made before the sign-up.
      let players = NSTemporaryDirectory() + "muster-players-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: players) }
      try await expectUsage(
        ["signup", "Ada", "--players", players, "--authority", "/no/such.pem"],
        says: "/no/such.pem: No such file or directory")
    }

    @Test("the address of a gateway may be one of IPv6")
    func addressOfIPv6() async throws {
      let stack = try Stack()
      let command = try Tools.muster(
        stack, ["signup", "Ada", "--gateway", "[::1]:\(stack.gatewayPort)", "--deadline", "0.5"])
      #expect(await command.ended() == 69)
      #expect(command.errors.contains("cannot connect"), "\(command.errors)")
      #expect(!command.errors.contains("[:1]"), "\(command.errors)")
      await stack.stop()
    }

    @Test("the file of the stack is the one that MUSTER_CLIENT names")
    func clientFile() async throws {
      try await withFile("# here\nplayers = /nowhere/players\nas = ada\n") { path in
        try await expectUsage(
          ["whoami"], ["MUSTER_CLIENT": path],
          says: #"No player is stored as "ada" in /nowhere/players"#)
      }
      try await expectUsage(
        ["whoami"], ["MUSTER_CLIENT": "/no/such.conf"], says: "/no/such.conf cannot be read")
    }

    @Test(
      "what is wrong with the stack's file is told",
      arguments: [
        ("as = ada\ncolour = red\n", ["whoami"], "has an unknown setting: colour."),
        ("# here\n\nas ada\n", ["whoami"], "line 3: `name = value` is expected."),
        (
          "operator-secret-file = /no/such.secret", ["status"],
          "operator-secret-file: /no/such.secret cannot be read."
        ),
        // Only an operator needs it.
        (
          "players = /nowhere/players\noperator-secret-file = /no/such.secret", ["whoami"],
          #"No player is stored as "player" in /nowhere/players"#
        ),
      ])
    func clientFileFaults(_ text: String, _ line: [String], _ fault: String) async throws {
      try await withFile(text) { path in
        try await expectUsage(line, ["MUSTER_CLIENT": path], says: fault)
      }
    }

    @Test(
      "a declaration file with a name that no field has is refused, with its place",
      arguments: [
        (#"{"leaderbords": []}"#, "leaderbords"),
        (
          #"{"leaderboards": [{"board": "a"}, {"board": "lap", "sortorder": "lowFirst"}]}"#,
          "leaderboards.1.sortorder"
        ),
        (
          #"{"leaderboards": [{"board": "a", "recurrence": {"start": 1, "every": 2}}]}"#,
          "leaderboards.0.recurrence.every"
        ),
        (#"{"leaderboardSets": [{"set": "a", "board": []}]}"#, "leaderboardSets.0.board"),
        (#"{"achievements": [{"achievement": "a", "point": 5}]}"#, "achievements.0.point"),
      ])
    func unknownFields(_ text: String, _ place: String) async throws {
      try await withFile(text) { path in
        try await expectUsage(["apply", path], says: "\(place): there is no such field")
      }
    }

    @Test(
      "a declaration file that says too little or the wrong thing is refused, with its place",
      arguments: [
        (#"{"leaderboards": [{"title": "a"}]}"#, "leaderboards.0.board is missing"),
        (#"{"leaderboardSets": [{"set": "a"}]}"#, "leaderboardSets.0.boards is missing"),
        (
          #"{"leaderboards": [{"board": "a", "recurrence": {"duration": 1}}]}"#,
          "leaderboards.0.recurrence.start is missing"
        ),
        (
          #"{"leaderboards": [{"board": "a", "sortOrder": "up"}]}"#,
          "leaderboards.0.sortOrder: one of highFirst, lowFirst is expected"
        ),
        (#"{"leaderboards": [{"board": "a", "minimum": "x"}]}"#, "leaderboards.0.minimum"),
        (
          #"{"achievements": [{"achievement": "a", "points": -1}]}"#,
          "achievements.0.points: the value does not fit"
        ),
        ("{}", "no game, leaderboards, leaderboardSets, achievements or queues"),
        ("no", "not a declaration"),
      ])
    func wrongFields(_ text: String, _ fault: String) async throws {
      try await withFile(text) { path in try await expectUsage(["apply", path], says: fault) }
    }
  }
}
