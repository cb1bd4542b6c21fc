import Foundation
import KillRounds
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// `muster import nakama`: from Nakama's tables to what the command line reads back.
  @Suite struct Imports {
    private static let ids = (1...40).map {
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 10) + String(format: "%02d", $0)
    }

    /// What `moving-from-nakama.md` has `psql` write.
    private static func write(to folder: URL) throws {
      func file(_ name: String, _ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8)
          .write(to: folder.appendingPathComponent(name))
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var users = ids.map { "\($0),user\($0.suffix(2)),Player \($0.suffix(2))" }
      users[0] = ids[0] + #",ann,"Anna ""the, first""\#n""#
      users[1] = ids[1] + ",ben,"
      try file("users.csv", ["id,username,display_name"] + users + [users[2]])
      try file(
        "edges.csv",
        ["source_id,destination_id,state,updated"]
          + [(0, 1, 0), (1, 0, 0), (2, 0, 0), (0, 2, 0), (3, 0, 1), (0, 3, 2), (0, 4, 3)]
          .map { "\(ids[$0.0]),\(ids[$0.1]),\($0.2),1600000000000" }
          + ["\(ids[0]),\(UUID().uuidString.lowercased()),0,1600000000000"])
      try file(
        "leaderboards.csv",
        [
          "id,title,sort_order,operator,authoritative,reset_schedule", "best,Best,1,0,f,",
          "laps,,0,0,f,", #"coins,"Coins, ""all""",1,2,t,"#, "last,,1,1,f,",
          "weekly,,1,0,f,0 0 * * 1", "not a name,,1,0,f,",
        ])
      let records =
        [
          "best,\(ids[0]),9223372036854775807,0,3,0", "best,\(ids[1]),-9223372036854775808,0,3,0",
          // Equal ones: the greater second score, then the earlier.
          "best,\(ids[2]),50,1,9,0", "best,\(ids[3]),50,0,5,0", "best,\(ids[4]),50,0,4,0",
          // One board and owner twice: the later counts.
          "last,\(ids[0]),7,0,2,0", "last,\(ids[0]),5,0,8,0", "last,\(ids[0]),6,0,1,0",
          "coins,\(ids[0]),1000,0,3,0", "coins,\(ids[1]),20,0,3,0",
          // Its time is over.
          "best,\(ids[5]),999,0,3,1600000000000", "weekly,\(ids[0]),1,0,3,4102444800000",
          "best,\(UUID().uuidString.lowercased()),5,0,3,0",
        ] + ids.enumerated().map { "laps,\($1),\(1000 + $0 / 2),0,\($0),0" }
      try file(
        "records.csv", ["leaderboard_id,owner_id,score,subscore,updated,expires"] + records)
    }

    @Test("2.9 4.6 7.1 an import of Nakama's tables, killed again and again, happens once")
    func nakama() async throws {
      var random = SeededRandom(seed: Seed.drawn())
      try await withIssuer { stack, issuer in
        let folder = stack.directory.appendingPathComponent("nakama")
        try Self.write(to: folder)
        let line = ["import", "nakama", folder.path, "--provider", TokenIssuer.provider]
        for round in 1...3 {
          let command = try Tools.muster(stack, line)
          if round == 3 {
            _ = await command.printed("the users are here")
          } else {
            try await Moments.pause(.milliseconds(.random(in: 20...120, using: &random)))
          }
          command.signal(SIGKILL)
          await command.ended()
        }
        let whole = try await Tools.muster(working: stack, line + ["--json"])
        #expect(whole.contains(#""friends":2,"blocks":1"#), "seed \(random.seed): \(whole)")
        #expect(whole.contains(#""expired":1,"leftOut":5"#), "\(whole)")
        let leftOut = try String(
          contentsOf: folder.appendingPathComponent("left-out.csv"), encoding: .utf8)
        for text in ["not a name", #"weekly,"recurs"#, "weekly,1 scores", "no such user"] {
          #expect(leftOut.contains(text), "\(leftOut)")
        }
        try await expectImported(stack, issuer, folder)

        let again = try await Tools.muster(working: stack, line + ["--json"])
        #expect(again.hasPrefix(#"{"players":0,"identities":0,"#), "\(again)")
        #expect(again.contains(#""boards":0,"scores":0,"unchanged":88,"#), "\(again)")
        try await expectImported(stack, issuer, folder)

        try await expectNotedAgain(stack, line, folder)

        // The players' own scores outlast another import.
        _ = try await run(stack, ["board", "submit", "last", "3"])
        _ = try await run(stack, ["board", "submit", "laps", "7"])
        _ = try await Tools.muster(working: stack, line)
        #expect(try await run(stack, ["board", "top", "last"]).contains(#""value":3,"#))
        #expect(
          try await run(stack, ["board", "top", "laps", "--count", "1"]).contains(
            #""value":7,"#))
      }
    }

    /// Of noted players who are not here, one alone is left out; where none is here, all are
    /// brought again.
    private func expectNotedAgain(_ stack: Stack, _ line: [String], _ folder: URL) async throws {
      let players = try map(folder)
      let file = folder.appendingPathComponent("players.csv")
      func note(_ user: String, _ player: String) -> String { "\(user),\(player)\n" }
      let stranger = PlayerID(high: 1, low: 2).description
      let rest = players.filter { $0.key != Self.ids[39] }.map { note($0.key, $0.value) }.joined()
      try Data(("user,player\n" + rest + note(Self.ids[39], stranger)).utf8).write(to: file)
      let one = try await Tools.muster(working: stack, line + ["--json"])
      #expect(one.hasPrefix(#"{"players":0,"#) && one.contains(#""leftOut":7}"#), "\(one)")

      let none = Self.ids.enumerated().map {
        note($1, PlayerID(high: 1, low: UInt64($0)).description)
      }
      try Data(("user,player\n" + none.joined()).utf8).write(to: file)
      let all = try await Tools.muster(working: stack, line + ["--json"])
      #expect(all.contains(#""friends":2,"#) && all.contains(#""leftOut":5}"#), "\(all)")
      #expect(try map(folder) == players)
      let before = folder.appendingPathComponent("players.csv.before")
      #expect(try String(contentsOf: before, encoding: .utf8).contains(none[0]))
    }

    /// Anna signs in by what she had in Nakama, once, and reads it all.
    private func expectImported(_ stack: Stack, _ issuer: TokenIssuer, _ folder: URL) async throws {
      let players = try map(folder)
      #expect(players.count == Self.ids.count)
      let id = { (place: Int) in players[Self.ids[place]] ?? "nobody" }
      try await signIn(stack, issuer, folder)
      let me = try await run(stack, ["whoami"])
      #expect(me.contains(id(0)) && me.contains(#""displayName":"Anna \"the, first\"""#), "\(me)")

      let friends = try await run(stack, ["friend", "list"])
      let states = try Reply<Friends>(friends).friends
      #expect(
        Dictionary(uniqueKeysWithValues: states.map { ($0.player, $0.state) })
          == [id(1): "friends", id(2): "friends", id(4): "blocked"], "\(friends)")

      func top(_ board: String) async throws -> [Page.Entry] {
        try Reply<Page>(await run(stack, ["board", "top", board, "--count", "100"])).entries
      }
      let best = try await top("best")
      #expect(best.map(\.player) == [0, 2, 4, 3, 1].map(id))
      #expect(best.map(\.value) == [.max, 50, 50, 50, .min])
      let laps = try await top("laps")
      #expect(laps.map(\.player) == Self.ids.indices.map(id), "the first of equals first")
      #expect(try await top("coins").map(\.value) == [1000, 20])
      #expect(try await top("last").map(\.value) == [5])
      let shown = try await run(stack, ["board", "show", "coins"])
      #expect(
        shown.contains(#""title":"Coins, \"all\"""#) && shown.contains(#""isServerWritten":true"#))
    }

    private func signIn(_ stack: Stack, _ issuer: TokenIssuer, _ folder: URL) async throws {
      let path = { (name: String) in folder.appendingPathComponent(name).path }
      if FileManager.default.fileExists(atPath: path("token")) { return }
      let nonce = try Reply<Nonce>(await run(stack, ["identity", "nonce", path("attempt")])).nonce
      let token = try await issuer.token(.init(sub: Self.ids[0], nonce: nonce))
      try Data(token.utf8).write(to: folder.appendingPathComponent("token"))
      let signUp = try await run(
        stack,
        [
          "identity", "signup", TokenIssuer.provider, path("token"), "Somebody", "--attempt",
          path("attempt"), "--nonce", nonce,
        ])
      #expect(signUp.contains(#""isNew":"no""#), "\(signUp)")
    }

    private func map(_ folder: URL) throws -> [String: String] {
      let text = try String(
        contentsOf: folder.appendingPathComponent("players.csv"), encoding: .utf8)
      let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
      return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
    }

    private func run(_ stack: Stack, _ line: [String]) async throws -> String {
      try await Tools.muster(working: stack, line + ["--json"])
    }

    @Test(
      "what is wrong with a file is told, with its line",
      arguments: [
        ("users.csv", "id,username\n", "users.csv, line 1: there is no column display_name."),
        (
          "records.csv",
          "leaderboard_id,owner_id,score,subscore,updated,expires\na,b,9223372036854775808,0,1,0\n",
          "records.csv, line 2: score is a whole number, not 9223372036854775808."
        ),
        ("edges.csv", nil, "edges.csv cannot be read."),
      ] as [(String, String?, String)])
    func faults(_ name: String, _ text: String?, _ fault: String) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-nakama-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try Self.write(to: folder)
      let file = folder.appendingPathComponent(name)
      try FileManager.default.removeItem(at: file)
      if let text { try Data(text.utf8).write(to: file) }
      let command = try Tools.muster(["import", "nakama", folder.path])
      #expect(await command.ended() == 64)
      #expect(command.errors.contains(fault), "\(command.errors)")
    }
  }
}

/// What a command has printed for programs, as far as a test looks at it.
@dynamicMemberLookup
private struct Reply<Value: Decodable> {
  let value: Value
  init(_ text: String) throws {
    value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
  subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
}

private struct Nonce: Decodable { var nonce: String }

private struct Friends: Decodable {
  struct Friend: Decodable {
    var player: String
    var state: String
  }
  var friends: [Friend]
}

private struct Page: Decodable {
  struct Entry: Decodable {
    var player: String
    var value: Int64
  }
  var entries: [Entry]
}
