import Foundation
import Stack
import Testing
import Wire

@testable import Storage

extension Operating {
  /// `--check`: whether a process would start with its settings and files.
  @Suite struct Checks {
    /// The check ends with 0 and prints `text`, or with 1 and names each fault; beside it the
    /// process of the same name goes on.
    func expect(
      _ name: String, in stack: Stack, _ flags: [String] = [], environment: [String: String] = [:],
      finds texts: [String], faults: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) async throws {
      let process = try await stack.spawn(name, ["--check"] + flags, environment: environment)
      let status = await process.ended()
      #expect(status == (faults.isEmpty ? 0 : 1), sourceLocation: location)
      let lines = process.errors.split(separator: "\n")
      #expect(Set(lines).count == lines.count, "each once: \(lines)", sourceLocation: location)
      for text in texts {
        #expect(process.output.contains(text), "\(process.output)", sourceLocation: location)
      }
      for text in faults {
        #expect(process.errors.contains(text), "\(process.errors)", sourceLocation: location)
      }
      #expect(process.output.contains("would start") == faults.isEmpty, sourceLocation: location)
      #expect(faults.isEmpty != process.errors.contains(": "), sourceLocation: location)
    }

    @Test("what runs would start, and checking it changes no file and takes no port")
    func good() async throws {
      try await withStack { stack in
        let before = try names(under: stack.directory)
        for name in stack.names {
          let certificate = stack.certificate("\(name.prefix { $0 != "/" }).pem")
          try await expect(
            name, in: stack, finds: ["settings: ", "certificates: ", certificate, "good for "])
        }
        try await expect(
          "context/1", in: stack,
          finds: [
            "settings: partition 1/1 listens on 127.0.0.1", "store: there is one in", "list: ",
          ])
        #expect(try names(under: stack.directory) == before)
        // Also where nobody has the store open: reading it makes none of SQLite's files.
        let running = try await stack.process("leaderboard/1")
        running.signal(SIGTERM)
        #expect(await running.ended() == 0)
        let stopped = try contents(of: stack, "leaderboard/1")
        try await expect("leaderboard/1", in: stack, finds: ["store: there is one in"])
        try await expect(
          "leaderboard/1", in: stack, ["--ready-file", "/no/such/ready"], finds: [],
          faults: ["--ready-file cannot be written: /no/such: No such file"])
        #expect(try contents(of: stack, "leaderboard/1") == stopped)
        try await stack.start("leaderboard/1")
      }
    }

    @Test("every fault of settings is told at once, by the services and the gateway")
    func settings() async throws {
      try await withStack { stack in
        for name in ["gateway", "request/1"] {
          try await expect(
            name, in: stack, ["--listen", "nowhere", "--certificate", "", "--context", "x"],
            finds: [],
            faults: ["--listen takes host:port", "--certificate is required", "--context takes"])
          try await expect(
            name, in: stack, ["--conections-max", "9"], finds: [],
            faults: ["There is no option --conections-max; did you mean --connections-max?"])
        }
        try await expect(
          "gateway", in: stack, ["--steam-app", "x", "--custom-issuer", "i"],
          environment: ["MUSTER_AUTH_SECRET": "short"], finds: [],
          faults: ["fewer than 32", "--steam-app is a whole number", "needs --custom-audience"])
        try await expect(
          "request/1", in: stack, environment: ["MUSTER_PUSH_HOOK": "http://x"],
          finds: ["store: "], faults: ["--push-hook: "])
      }
    }

    @Test("certificates that others would not take are faults, and all of the start's are")
    func certificates() async throws {
      try await withStack { stack in
        let other = stack.directory.appendingPathComponent("other").path
        try Certificates.make(in: URL(fileURLWithPath: other))
        for name in ["gateway", "request/1"] {
          let own = name.prefix { $0 != "/" }
          try await expect(
            name, in: stack, ["--key", stack.certificate("context.key")], finds: [],
            faults: ["context.key"])
          try await expect(
            name, in: stack, ["--authority", "/no/such.pem"], finds: [], faults: ["/no/such.pem"])
          try await expect(
            name, in: stack,
            ["--certificate", "\(other)/\(own).pem", "--key", "\(other)/\(own).key"], finds: [],
            faults: ["unable to get local issuer certificate"])
          try await expect(
            name, in: stack,
            [
              "--certificate", stack.certificate("context.pem"),
              "--key", stack.certificate("context.key"),
            ], finds: [], faults: ["it is not for \(own).muster.internal"])
        }
        let ended = try await endedCertificate(in: stack)
        try await expect(
          "request/1", in: stack,
          ["--certificate", ended, "--key", stack.certificate("request.key")],
          finds: ["store: "], faults: ["certificate \(ended): certificate has expired"])
        try await expect(
          "gateway", in: stack,
          ["--client-certificate", ended, "--client-key", stack.certificate("request.key")],
          finds: [], faults: ["certificate \(ended): certificate has expired"])
      }
    }

    @Test(
      "a store that is not there, of another partition or damaged is a fault, and stays as it is")
    func stores() async throws {
      try await withStack { stack in
        let folder = stack.directory.path
        try await expect(
          "leaderboard/1", in: stack, ["--data-directory", "\(folder)/none"],
          finds: ["certificates: "],
          faults: ["There is no store at \(folder)/none. ", "--create-store"])
        try await expect(
          "leaderboard/1", in: stack, ["--erased-list", "/no/such/folder/players"], finds: [],
          faults: ["--erased-list cannot be kept: /no/such/folder: No such file"])
        let copy = "\(folder)/copy"
        try await stack.createStore("leaderboard/1", at: copy)
        let addresses = "127.0.0.1:1,127.0.0.1:2"
        try await expect(
          "leaderboard/1", in: stack,
          ["--data-directory", copy, "--partition", "2/2", "--leaderboard", addresses], finds: [],
          faults: ["The store was written as partition 1/1, not as 2/2."])
        let journal = "\(copy)/leaderboard.journal.sqlite"
        try Data("no database".utf8).write(to: URL(fileURLWithPath: journal))
        try await expect(
          "leaderboard/1", in: stack, ["--data-directory", copy], finds: [], faults: ["damaged"])
        try FileManager.default.removeItem(atPath: journal)
        try await expect(
          "leaderboard/1", in: stack, ["--data-directory", copy], finds: [],
          faults: ["A part of the store is missing: \(journal)"])
        #expect(!FileManager.default.fileExists(atPath: journal))
      }
    }

    @Test("a clock that a start would not believe is a fault, where the last change can be seen")
    func clock() async throws {
      try await withStack { stack in
        let copy = "\(stack.directory.path)/dated"
        try await stack.createStore("leaderboard/1", at: copy)
        let flags = ["--data-directory", copy]
        try await expect("leaderboard/1", in: stack, flags, finds: ["store: there is one in"])
        let tables = "\(copy)/leaderboard.tables.sqlite"
        try setLastTime(86_400_000, in: tables)
        try await expect(
          "leaderboard/1", in: stack, flags + ["--clock-ahead-days", "30"], finds: [],
          faults: ["the last change of the store is of", "--clock-ahead-days"])
        try Data().write(to: URL(fileURLWithPath: "\(tables)-wal"))
        try await expect(
          "leaderboard/1", in: stack, flags + ["--clock-ahead-days", "30"],
          finds: ["the check cannot tell whether"])
      }
    }

    /// No variable of one program may be taken for a mistyped one of another: they share
    /// environments.
    @Test("variables of all programs together keep none from starting")
    func sharedEnvironment() async throws {
      try await withStack { stack in
        var all: Set<String> = [
          "MUSTER_SEED", "MUSTER_NEED_PYTHON", "MUSTER_UPDATE_GOLDEN", "MUSTER_CLIENT",
          "MUSTER_GATEWAY", "MUSTER_AUTHORITY", "MUSTER_GAME", "MUSTER_SERVER_NAME", "MUSTER_AS",
          "MUSTER_PLAYERS", "MUSTER_OPERATOR_SECRET",
        ]
        for program in Service.allCases.map({ "muster-\($0.name)" }) {
          let process = try ServerProcess(
            name: program, executable: Binaries.url(program), arguments: ["--help"])
          #expect(await process.ended() == 0)
          let found = process.output.matches(of: /MUSTER_[A-Z_]+/).map { String($0.0) }
          #expect(found.count > 3, "\(program)")
          all.formUnion(found)
        }
        for name in stack.names {
          let help = try ServerProcess(
            name: name, executable: Binaries.url("muster-\(name.prefix { $0 != "/" })"),
            arguments: ["--help"])
          await help.ended()
          let own = Set(help.output.matches(of: /MUSTER_[A-Z_]+/).map { String($0.0) })
          let others = Dictionary(uniqueKeysWithValues: all.subtracting(own).map { ($0, "x") })
          #expect(others.count > 10)
          try await expect(name, in: stack, environment: others, finds: ["would start"])
        }
      }
    }

    private func setLastTime(_ time: Int64, in tables: String) throws {
      let connection = try SQLiteConnection(tables, vfs: nil)
      try connection.setMeta("folded_time", .integer(time))
      connection.close()
    }

    private func endedCertificate(in stack: Stack) async throws -> String {
      let folder = stack.directory.appendingPathComponent("certificates").path
      _ = try await Tools.run(
        """
        cd '\(folder)' && openssl req -new -key request.key -subj /CN=ended -out ended.csr \
        && printf 'subjectAltName=DNS:request.muster.internal\\n' >ended.ext \
        && openssl x509 -req -in ended.csr -CA authority.pem -CAkey authority.key \
        -extfile ended.ext -days -1 -out ended.pem
        """)
      return "\(folder)/ended.pem"
    }

    /// Of all files but those that a running store has now and then.
    private func names(under folder: URL) throws -> Set<String> {
      Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path)).filter {
        !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
      }
    }

    private func contents(of stack: Stack, _ name: String) throws -> [String: Data?] {
      let folder = stack.directory.appendingPathComponent("data/\(name)").path
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, FileManager.default.contents(atPath: "\(folder)/\($0)"))
        })
    }
  }
}
