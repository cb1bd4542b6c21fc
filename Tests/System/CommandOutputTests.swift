import Foundation
import Operations
import PseudoTerminal
import Stack
import Testing
import Wire

extension System {
  /// What the `muster` command prints for people and for programs.
  @Suite struct CommandOutputs {
    private func lines(
      _ stack: Stack, _ line: [String], _ environment: [String: String] = [:]
    ) async throws -> [String] {
      let command = try Tools.muster(stack, line, environment)
      #expect(await command.ended() == 0, "\(line): \(command.errors)")
      return command.output.split(separator: "\n").map(String.init)
    }

    /// Anna and 日本, who are friends, with a score each.
    private func withFriends(_ body: (Stack) async throws -> Void) async throws {
      try await withStack { stack in
        try await stack.declare("duel")
        _ = try await lines(stack, ["signup", "Anna", "--as", "anna"])
        _ = try await lines(stack, ["signup", "日本", "--as", "ben"])
        _ = try await lines(stack, ["friend", "invite", "ben", "--as", "anna"])
        _ = try await lines(stack, ["friend", "accept", "anna", "--as", "ben"])
        _ = try await lines(stack, ["board", "submit", "duel", "42", "--as", "anna"])
        _ = try await lines(stack, ["board", "submit", "duel", "1000", "--as", "ben"])
        try await body(stack)
      }
    }

    @Test("4.3 lists have names beside ids, aligned, and dates of the reader's own time zone")
    func tables() async throws {
      try await withFriends { stack in
        let top = ["board", "top", "duel", "--as", "anna"]
        let zones = ["UTC0", "XYZ-9"]
        var dates: [String] = []
        for zone in zones {
          let shown = try await lines(stack, top, ["TZ": zone])
          #expect(shown[0] == "rank  name  value  date              player")
          #expect(shown[1].hasPrefix("   1  日本   1000  "), "\(shown)")
          #expect(shown[2].hasPrefix("   2  Anna     42  "), "\(shown)")
          #expect(shown[3] == "you: rank 2 of 2, with 42")
          dates.append(String(shown[1].split(separator: " ")[4]))
        }
        let hours = dates.map { Int($0.prefix(2)) ?? -1 }
        #expect((hours[1] - hours[0] + 24) % 24 == 9, "\(dates)")
        let friends = try await lines(stack, ["friend", "list", "--as", "anna"])
        #expect(friends[0].hasPrefix("name  state"), "\(friends)")
        #expect(friends[1].hasPrefix("日本  friends"), "\(friends)")
      }
    }

    @Test(
      "with --json a list is one document with the protocol's own field names, and nothing else")
    func json() async throws {
      try await withFriends { stack in
        let top = try Tools.muster(stack, ["board", "top", "duel", "--as", "anna", "--json"])
        #expect(await top.ended() == 0 && top.errors.isEmpty)
        let page = try JSONSerialization.jsonObject(with: Data(top.output.utf8))
        let object = try #require(page as? [String: Any])
        #expect(Set(object.keys) == ["entries", "localEntry", "total"])
        let entries = try #require(object["entries"] as? [[String: Any]])
        #expect(Set(entries[0].keys) == ["rank", "player", "value", "scoreTag", "date"])
        let empty = try Tools.muster(stack, ["request", "inbox", "--as", "ben", "--json"])
        #expect(await empty.ended() == 0)
        #expect(empty.output == #"{"requests":[],"cursor":""}"# + "\n")
      }
    }

    @Test(
      "7.1 watch tells an event a line, with time, names and what; with --json each is a document")
    func watch() async throws {
      try await withFriends { stack in
        let watch = ["watch", "--as", "ben", "--after", "0", "--count", "1"]
        let told = try await lines(stack, watch)
        #expect(told.count == 2 && told[0].hasPrefix("watching"), "\(told)")
        #expect(
          told[1].wholeMatch(of: #/([-0-9]{10} )?[0-9:]{8}  Anna asks you to be friends/#) != nil,
          "\(told)")
        let raw = try await lines(stack, watch + ["--json"])
        #expect(raw.count == 1)
        let event = try JSONSerialization.jsonObject(with: Data(raw[0].utf8))
        let object = try #require(event as? [String: Any])
        #expect(object["kind"] as? String == "FriendInvitation" && object["sequence"] as? Int == 1)
      }
    }

    @Test(
      "7.1 watch acknowledges nothing that it could not show",
      .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func watchWithoutRoom() async throws {
      try await withFriends { stack in
        let line = "watch --as ben --after 0 --json"
        let full = try ServerProcess(
          name: "muster", executable: URL(fileURLWithPath: "/bin/bash"),
          arguments: ["-c", "exec '\(Binaries.url("muster").path)' \(line) >/dev/full"],
          environment: Tools.musterEnvironment(stack))
        #expect(await full.ended() == 74)
        #expect(full.errors.contains("standard output cannot be written"), "\(full.errors)")
        let next = try await lines(stack, ["watch", "--as", "ben", "--count", "1", "--json"])
        #expect(next.first?.contains(#""sequence":1,"#) == true, "\(next)")
      }
    }

    @Test("3.4 who types nothing any more has left the counter, and the match unless it is to stay")
    func endOfInput() async throws {
      try await withFriends { stack in
        let counter = try Tools.muster(stack, ["counter", "ben", "--as", "anna"])
        #expect(await counter.ended() == 0, "\(counter.errors)")
        #expect(counter.output.contains("you have left"), "\(counter.output)")
        let pair = try await lines(stack, ["context", "with", "ben", "--as", "anna", "--json"])
        _ = try await lines(stack, ["context", "with", "anna", "--as", "ben"])
        let context = try JSONSerialization.jsonObject(with: Data(pair[0].utf8)) as? [String: Any]
        let line = ["match", try #require(context?["context"] as? String), "--new", "--as", "anna"]
        let match = try Tools.muster(stack, line)
        #expect(await match.ended() == 0, "\(match.errors)")
        #expect(match.output.contains("you have left"), "\(match.output)")
        let staying = try Tools.muster(stack, line + ["--stay"])
        _ = await staying.printed("players expected")
        let ben = try Tools.muster(stack, Array(line[..<2]) + ["--as", "ben"])
        #expect(await ben.ended() == 0, "\(ben.errors)")
        // Ben, who has left, ended it; nobody else did.
        #expect(await staying.ended() == 0, "\(staying.errors)")
        #expect(!staying.output.contains("you have left"), "\(staying.output)")
      }
    }

    @Test("colours are on a terminal alone, or where they are asked for; a narrow one shows blocks")
    func terminal() async throws {
      try await withFriends { stack in
        let top = ["board", "top", "duel", "--as", "anna"]
        #expect(!(try await lines(stack, top)).joined().contains("\u{1b}"))
        let always = try await lines(stack, top + ["--color", "always"])
        #expect(always[0].hasPrefix("\u{1b}[1mrank\u{1b}[0m"))
        let wide = try await onTerminal(stack, top, columns: 80, rows: 24)
        #expect(wide.contains("\u{1b}[1mrank\u{1b}[0m  "), "\(wide)")
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
          let plain = try await onTerminal(stack, top, columns: 80, rows: 24, [name: value])
          #expect(plain.contains("rank  name") && !plain.contains("\u{1b}"), "\(plain)")
        }
        let narrow = try await onTerminal(stack, top, columns: 40, rows: 12, ["NO_COLOR": "1"])
        #expect(narrow.contains("rank    2\r\nname    Anna\r\nvalue   42\r\n"), "\(narrow)")
      }
    }

    @Test("watch on a terminal tells an event a line; on a narrow one the words go on below")
    func watchOnTerminal() async throws {
      try await withFriends { stack in
        let message = "Come and play with us tonight"
        _ = try await lines(
          stack, ["request", "send", message, "--to", "ben", "--as", "anna", "--action", "turn"])
        let watch = ["watch", "--as", "ben", "--after", "0", "--count", "2", "--color", "never"]
        let wide = try await onTerminal(stack, watch, columns: 80, rows: 24)
        #expect(wide.contains("  Anna asks you to be friends\r\n"), "\(wide)")
        #expect(
          wide.contains("  Anna sends you a request (turn): \"\(message)\"\r\n"), "\(wide)")
        let narrow = try await onTerminal(stack, watch, columns: 40, rows: 12)
        let told = narrow.split(separator: "\r\n").suffix(3)
        #expect(told.first?.hasSuffix("  Anna sends you a request") == true, "\(narrow)")
        #expect(
          told.dropFirst() == [
            "          (turn): \"Come and play with us", "          tonight\"",
          ], "\(narrow)")
      }
    }

    /// Runs the command on a pseudo-terminal, and returns all that is written to it.
    private func onTerminal(
      _ stack: Stack, _ line: [String], columns: Int, rows: Int, _ more: [String: String] = [:]
    ) async throws -> String {
      let terminal = try PseudoTerminal(
        Binaries.url("muster"), line, width: columns, height: rows,
        environment: Tools.musterEnvironment(stack).merging(more) { $1 })
      let status = try terminal.end()
      let output = String(decoding: terminal.output, as: UTF8.self)
      #expect(status == 0, "\(output)")
      return output
    }

    @Test(
      "a service that does not answer is not reachable, and what may have been done is not known")
    func noService() async throws {
      try await withFriends { stack in
        try await stack.process("leaderboard/1").signal(SIGSTOP)
        let read = try Tools.muster(
          stack, ["board", "top", "duel", "--as", "anna", "--deadline", "1"])
        #expect(await read.ended() == 69)
        #expect(read.errors.contains("`muster status` shows"), "\(read.errors)")
        let write = try Tools.muster(
          stack, ["board", "submit", "duel", "43", "--as", "anna", "--deadline", "1"])
        #expect(await write.ended() == 75)
        #expect(write.errors.contains("before you repeat it"), "\(write.errors)")
        try await stack.process("leaderboard/1").signal(SIGCONT)
      }
    }

    @Test("where no gateway is, the error says how to start one and how to name another")
    func noGateway() async throws {
      let stack = try Stack()
      let command = try Tools.muster(stack, ["signup", "Ada", "--deadline", "0.5"])
      #expect(await command.ended() == 69)
      #expect(command.errors.contains("Is there a gateway at 127.0.0.1:\(stack.gatewayPort)?"))
      #expect(command.errors.contains("`make run`") && command.errors.contains("--gateway"))
      await stack.stop()
    }

    @Test("whoever is not signed in is told by which command to sign up")
    func notSignedIn() async throws {
      let command = try Tools.muster(["whoami", "--players", "/nowhere"])
      #expect(await command.ended() == 64)
      #expect(command.errors.contains("`muster signup DISPLAY-NAME`"))
      #expect(!command.errors.contains("usage:"))
    }
  }
}
