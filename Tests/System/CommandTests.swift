import Foundation
import Operations
import Stack
import Testing
import Wire

extension System {
  /// The `muster` command against a deployment, as the README tells people to use it.
  @Suite struct Commands {
    @Test func signUpAndAskWhoOneIs() async throws {
      try await withStack { stack in
        let signUp = try Tools.muster(stack, ["signup", "Anna", "--as", "anna", "--json"])
        #expect(await signUp.ended() == 0, "\(signUp.errors)")
        #expect(signUp.output.contains(#""displayName":"Anna""#))
        let whoAmI = try Tools.muster(stack, ["whoami", "--as", "anna"])
        #expect(await whoAmI.ended() == 0, "\(whoAmI.errors)")
        #expect(whoAmI.output.contains("displayName: Anna"))
        let nobody = try Tools.muster(stack, ["whoami", "--as", "nobody"])
        #expect(await nobody.ended() == 64)
        #expect(nobody.errors.contains(#"No player is stored as "nobody" in "#))
        let again = try Tools.muster(stack, ["signup", "Anna", "--as", "anna"])
        #expect(await again.ended() == 64)
        #expect(again.errors.contains(#"A player is stored as "anna" in "#))
      }
    }

    @Test(arguments: [
      (["signup", "Ada", "Lovelace", "--as", "ada"], "Lovelace is one word too many"),
      (["whoami", "--json=no"], "--json takes no value"), (["nothing"], "no command nothing"),
    ])
    func wrongCommandLinesAreTold(_ line: [String], _ fault: String) async throws {
      try await withStack { stack in
        let command = try Tools.muster(stack, line)
        #expect(await command.ended() == 64)
        #expect(command.errors.contains(fault))
      }
    }

    @Test func theNameOfAGroupListsItsCommands() async throws {
      try await withStack { stack in
        let help = try Tools.muster(stack, ["board", "--help"])
        #expect(await help.ended() == 0)
        #expect(help.output.contains("muster board submit BOARD VALUE"))
      }
    }

    @Test("a game is declared by hand or by a file, and players sign in to no other")
    func games() async throws {
      try await withStack { stack in
        _ = try await run(stack, ["signup", "Anna"])
        for game in ["Demo", "typo", "demo.json"] {
          let errors = try await run(stack, ["whoami", "--game", game], exits: 1).errors
          #expect(errors.contains("No game of the name \"\(game)\" is declared"), "\(errors)")
        }
        #expect(
          try await run(stack, ["whoami", "--game", "demo "], exits: 1).errors.contains("blank"))
        _ = try await run(stack, ["credential", "--game", "typo"], exits: 1)

        let declare = ["game", "declare", "Demo"]
        #expect(
          try await run(stack, declare).output.contains(#"{"game":"Demo","change":"created"}"#))
        #expect(try await run(stack, declare).output.contains("unchanged"))
        _ = try await run(stack, ["whoami", "--game", "Demo"])
        #expect(try await run(stack, ["credential", "--game", "Demo"]).output.contains("1."))
        #expect(
          try await run(stack, ["game", "declare", "../x"], exits: 1).errors.contains("other than"))
        #expect(
          try await run(stack, ["game", "declare", ""], exits: 1).errors.contains(
            "A game is required."))

        let file = stack.directory.appendingPathComponent("demo.json")
        let text = #"{"game": "demo.json", "leaderboards": [{"board": "laps"}]}"#
        try Data(text.utf8).write(to: file)
        let applied = try await run(stack, ["apply", file.path]).output.split(separator: "\n")
        #expect(applied.first == #"{"game":"demo.json","change":"created"}"#, "\(applied)")
        _ = try await run(stack, ["board", "submit", "laps", "5", "--game", "demo.json"])

        try Data(#"{"game": "go"}"#.utf8).write(to: file)
        let alone = try await run(stack, ["apply", file.path]).output
        #expect(alone == #"{"game":"go","change":"created"}"# + "\n")
        #expect(
          try await run(stack, ["board", "show", "laps", "--game", "go"], exits: 1).errors.contains(
            #"The game "go" has no board "laps". [notFound, argument board]"#))
      }
    }

    @Test("5.1 5.4 achievements are declared in a file, shown, reported and reset")
    func achievements() async throws {
      try await withStack { stack in
        let file = stack.directory.appendingPathComponent("achievements.json")
        let declared = #"{"achievements": [{"achievement": "first-win", "points": 10}]}"#
        try Data(declared.utf8).write(to: file)
        _ = try await run(stack, ["signup", "Anna"])
        #expect(try await run(stack, ["apply", file.path]).output.contains("created"))
        #expect(try await run(stack, ["apply", file.path]).output.contains("unchanged"))
        #expect(try await run(stack, ["achievement", "show"]).output.contains("first-win"))
        let report = ["achievement", "report", "first-win"]
        #expect(try await run(stack, report + ["nan"], exits: 1).errors.contains("percentComplete"))
        #expect(try await run(stack, report, exits: 64).errors.contains("PERCENT"))
        #expect(try await run(stack, report + ["62.5"]).output.contains("62.5"))
        #expect(try await run(stack, ["achievement", "list"]).output.contains("62.5"))
        _ = try await run(stack, ["achievement", "reset"])
        #expect(try await !run(stack, ["achievement", "list"]).output.contains("62.5"))
      }
    }

    @Test("a re-rank and how far it is, as the operator of a deployment without players")
    func reRank() async throws {
      try await withStack { stack in
        try await stack.declare("ranked")
        func run(_ line: [String]) async throws -> String {
          let command = try Tools.muster(stack, ["board"] + line)
          #expect(await command.ended() == 0, "\(command.errors)")
          return command.output
        }
        let same = try await run(["rerank", "ranked", "--aggregation", "best"])
        #expect(same.contains("ranked is ranked by these rules already"))
        let other = try await run(["rerank", "ranked", "--sort-order", "lowFirst"])
        #expect(other.contains("number: 1") && !other.contains("already"))
        let shown = try await run(["show", "ranked"])
        #expect(shown.contains("reRank:") && shown.contains("number: 1"))
      }
    }

    @Test("every field of a declaration reaches the server")
    func declaration() async throws {
      try await withStack { stack in
        let file = stack.directory.appendingPathComponent("all.json")
        let context = ContextID(high: 1, low: 2)
        let board = #"""
          "board":"all","title":"All","sortOrder":"lowFirst","aggregation":"latest",\#
          "tieRule":"sharedRank","minimum":-5,"maximum":9000000000,"format":"seconds",\#
          "attempts":"days","attemptDays":3,\#
          "recurrence":{"unit":"days","start":1700000000,"duration":1,"interval":2,\#
          "zone":"Europe/Lisbon"},"olderOccurrencesKept":4,"hasWindows":false,\#
          "isServerWritten":true,"rateCount":5,"rateSeconds":6,"requiresTicket":true,\#
          "runSecondsMin":7,"linkedContext":"\#(context)","historyDays":0
          """#
        let achievement = #"""
          "achievement":"win","title":"Win","descriptionBefore":"Do.","descriptionAfter":"Did.",\#
          "isHidden":false,"isReplayable":true,"points":8
          """#
        let boards = #""leaderboards":[{\#(board)},{"board":"own","title":null}]"#
        let text = #"{"game":null,\#(boards),"achievements":[{\#(achievement)}]}"#
        try Data(text.utf8).write(to: file)
        func run(_ line: [String]) async throws -> String {
          let command = try Tools.muster(stack, line + ["--json"])
          #expect(await command.ended() == 0, "\(command.errors)")
          return command.output
        }
        _ = try await run(["apply", file.path])
        #expect(try await run(["board", "show", "all"]).contains(board))
        #expect(try await run(["board", "show", "own"]).contains(#""board":"own","title":"own""#))
        _ = try await run(["signup", "Ada"])
        #expect(try await run(["achievement", "show"]).contains(achievement))
      }
    }

    @Test("4.4 the rank at a past date, on a board that is declared with a history")
    func pastRank() async throws {
      try await withStack { stack in
        let file = stack.directory.appendingPathComponent("boards.json")
        try Data(#"{"leaderboards": [{"board": "ranked", "historyDays": 2}]}"#.utf8).write(to: file)
        _ = try await run(stack, ["signup", "Anna"])
        _ = try await run(stack, ["apply", file.path])
        _ = try await run(stack, ["board", "submit", "ranked", "5"])
        let between = "\(Int64(Date().timeIntervalSince1970 * 1000))"
        _ = try await run(stack, ["board", "submit", "ranked", "9"])
        let rank = ["board", "rank", "ranked"]
        #expect(try await run(stack, rank).output.contains(#""value":9"#))
        #expect(try await run(stack, rank + ["--at", between]).output.contains(#""value":5"#))
        for date in ["2001-02-03", "2001-02-03T04:05:06Z"] {
          let early = try await run(stack, rank + ["--at", date], exits: 1)
          #expect(early.errors.contains("go back"))
        }
        #expect(
          try await run(stack, rank + ["--at", "9999-01-01"], exits: 1).errors.contains("future"))
        #expect(
          try await run(stack, rank + ["--at", "yesterday"], exits: 64).errors.contains("--at"))
      }
    }

    @Test("4.2 4.3 sets of boards and a context's scores, from a file and the command line")
    func sets() async throws {
      try await withStack { stack in
        let file = stack.directory.appendingPathComponent("sets.json")
        func write(_ text: String) throws { try Data(text.utf8).write(to: file) }
        let boards = #""leaderboards": [{"board": "laps", "title": "Laps"}, {"board": "wins"}]"#
        let sets = #""leaderboardSets": [{"set": "race", "boards": ["wins", "laps"]}]"#
        try write("{\(boards), \(sets)}")
        _ = try await run(stack, ["signup", "Anna"])
        #expect(
          try await run(stack, ["apply", file.path]).output.contains(
            #""set":"race","change":"created""#))
        #expect(try await run(stack, ["board", "sets"]).output.contains(#""title":"race""#))
        // A title is there a moment after its board: the set's key hears of it by an effect.
        var shown = ""
        for _ in 0..<100 where !shown.contains(#"{"board":"laps","title":"Laps"}"#) {
          shown = try await run(stack, ["board", "set", "race"]).output
        }
        #expect(shown.contains(#"{"board":"laps","title":"Laps"}"#))
        #expect(
          try await run(stack, ["board", "set", "walk"], exits: 1).errors.contains(
            "notFound, argument set"))
        try write(#"{"leaderboards": [{"board": "own", "linkedContext": "here"}]}"#)
        #expect(
          try await run(stack, ["apply", file.path], exits: 64).errors.contains("linkedContext"))

        let solo = try await run(stack, ["context", "solo"]).output
        let context = try #require(
          solo.firstMatch(of: #/"context":"([0-9a-z]{26})"/#)?.output.1)
        try write(#"{"leaderboards": [{"board": "own", "linkedContext": "\#(context)"}]}"#)
        _ = try await run(stack, ["apply", file.path])
        _ = try await run(stack, ["board", "submit", "own", "5"])
        let page = try await run(stack, ["board", "context", "own", String(context)]).output
        #expect(page.contains(#""total":1"#))
        _ = try await run(stack, ["signup", "Ben", "--as", "ben"])
        let refused = try await run(
          stack, ["board", "submit", "own", "5", "--as", "ben"], exits: 1)
        #expect(refused.errors.contains("notFound, argument context"))
      }
    }

    @Test("6.2 6.5 a challenge with a named score and a lifetime, from the command line")
    func namedScore() async throws {
      try await withStack { stack in
        try await stack.declare("duel")
        for name in ["Anna", "Ben"] { _ = try await run(stack, ["signup", name, "--as", name]) }
        _ = try await run(stack, ["board", "submit", "duel", "100", "--as", "Anna"])
        let issue = ["challenge", "issue", "duel", "Ben", "--as", "Anna"]
        let better = try await run(stack, issue + ["--value", "101"], exits: 1)
        #expect(better.errors.contains("better than your entry"))
        // The two are no friends, which is looked at last.
        let worse = try await run(
          stack, issue + ["--value", "50", "--tag", "7", "--expires-in", "60"])
        #expect(worse.output.contains("notReachable"))
        #expect(try await run(stack, issue + ["--tag", "7"], exits: 1).errors.contains("scoreTag"))
        let short = try await run(stack, issue + ["--expires-in", "59"], exits: 1)
        #expect(short.errors.contains("lifetimeMilliseconds"))
        let earn = ["challenge", "achieve", "win", "Ben", "--as", "Anna", "--expires-in", "59"]
        #expect(try await run(stack, earn, exits: 1).errors.contains("lifetimeMilliseconds"))
      }
    }

    @Test("4.6 a player without a score can be banned, and nobody who does not exist")
    func ban() async throws {
      try await withStack { stack in
        try await stack.declare("duel")
        _ = try await run(stack, ["signup", "Ben", "--as", "ben"])
        let nobody = PlayerID(high: 1, low: 2).description
        let unknown = try await run(stack, ["board", "restrict", "duel", nobody, "ban"], exits: 1)
        #expect(unknown.errors.contains("notFound, argument player"))
        _ = try await run(stack, ["board", "restrict", "duel", "ben", "ban"])
        let refused = try await run(
          stack, ["board", "submit", "duel", "5", "--as", "ben"], exits: 1)
        #expect(refused.errors.contains("notAllowed, argument player"))
      }
    }

    @Test func tour() async throws {
      try await withStack { stack in
        let tour = try Tools.muster(stack, ["tour"])
        #expect(await tour.ended() == 0, "\(tour.errors)")
        #expect(tour.output.contains("counter: 53"))
        for step in [
          "Anna set a photo", "Dora came by Anna's invite token", "Dora had herself erased",
          "suggested to him",
          "the operator exported",
        ] {
          #expect(tour.output.contains(step), "\(tour.output)")
        }
      }
    }

    /// Runs a command whose output is JSON, and expects how it ends.
    private func run(_ stack: Stack, _ line: [String], exits code: Int32 = 0) async throws
      -> ServerProcess
    {
      let command = try Tools.muster(stack, line + ["--json"])
      #expect(await command.ended() == code, "\(line): \(command.errors)")
      return command
    }
  }
}
