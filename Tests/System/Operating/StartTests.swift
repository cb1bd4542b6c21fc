import Foundation
import ServiceKit
import Stack
import Testing
import Wire

extension Operating {
  /// What keeps a process from starting, and what it says then. The codes are those of
  /// `sysexits.h`.
  @Suite struct Starts {
    /// The process ends with `status` and names the trouble, and the one that serves goes on.
    private func expectEnd(
      _ name: String, in stack: Stack, _ flags: [String], environment: [String: String] = [:],
      status: Int32, says text: String, _ location: SourceLocation = #_sourceLocation
    ) async throws {
      let process = try await stack.spawn(name, flags, environment: environment)
      let ended = await process.ended()
      #expect(ended == status, "\(process.errors)", sourceLocation: location)
      #expect(
        process.errors.contains(text), "\(process.errors)", sourceLocation: location)
      #expect(!process.output.contains("ready"), sourceLocation: location)
    }

    @Test func commandLines() async throws {
      try await withStack { stack in
        for name in ["gateway", "request/1"] {
          for (flags, text) in [
            (["--no-such-option"], "There is no option --no-such-option; see --help."),
            (["stray"], "There is no option stray"),
            (["--connections-max", "0"], "from 1 to 1000000, not 0"),
            (["--connections-max"], "--connections-max needs a value"),
            (["--log-level", "loud"], "--log-level takes one of debug, info, warning, error"),
            (["--config", "/no/such/file"], "/no/such/file cannot be read"),
          ] {
            try await expectEnd(name, in: stack, flags, status: 64, says: text)
          }
          try await expectEnd(
            name, in: stack, ["--listen", "nowhere"], status: 78, says: "takes host:port")
          try await expectEnd(
            name, in: stack, ["--certificate", ""], status: 78, says: "--certificate is required")
        }
        try await expectEnd(
          "context/1", in: stack, [], environment: ["MUSTER_MATCH_GRACE_SECONDS": "0"], status: 64,
          says: "--match-grace-seconds takes a whole number from 1 to 3600, not 0.")
        try await expectEnd(
          "request/1", in: stack, ["--partition", "3/2"], status: 78, says: "--partition takes N/M")
      }
    }

    @Test("a push hook that cannot work is told at the start, and its secret never")
    func pushHook() async throws {
      let (address, secret) = (
        "https://localhost/hook", "whsec_" + String(repeating: "A", count: 32)
      )
      let short = "whsec_c2hvcnQ="
      try await withStack { stack in
        for (hook, given, flags, status, text) in [
          ("http://localhost/hook", secret, [], 78, "--push-hook: an address reads https://"),
          (address, "", [], 78, "--push-hook needs --push-hook-secret"),
          (address, short, [], 78, "--push-hook-secret is whsec_ and base 64 of 24 to 64 bytes"),
          (address, secret + ",", [], 78, "--push-hook-secret is whsec_"),
          (
            address, secret, ["--push-hook-authority", "/no/such/file"], 69,
            "--push-hook-authority: "
          ),
          (address, secret, ["--push-hook-seconds", "0"], 64, "from 1 to 60"),
        ] as [(String, String, [String], Int32, String)] {
          let environment = ["MUSTER_PUSH_HOOK": hook, "MUSTER_PUSH_HOOK_SECRET": given]
          let process = try await stack.spawn("request/1", flags, environment: environment)
          #expect(await process.ended() == status, "\(process.errors)")
          #expect(process.errors.contains(text), "\(process.errors)")
          #expect(given.isEmpty || !process.errors.contains(given))
        }
      }
    }

    @Test(
      "Every program says what it is for and ends well when it is asked",
      arguments: [
        "muster", "muster-simulate", "powerloss", "muster-protocol", "muster-load", "muster-bench",
        "muster-soak", "muster-allocations", "bench-fill", "bench-index", "bench-timers",
        "bench-echo", "bench-answers", "bench-relay",
      ] + Service.allCases.map { "muster-\($0.name)" })
    func help(name: String) async throws {
      let process = try ServerProcess(
        name: name, executable: Binaries.url(name), arguments: ["--help"])
      #expect(await process.ended() == 0, "\(process.errors)")
      #expect(process.output.contains(name) && process.output.count > 60)
      #expect(process.errors.isEmpty)
    }

    // No dependency of these tests, in whose process its counter would take every allocation.
    @Test(
      "muster-allocations says what is wrong with its command line",
      arguments: [
        ([], "usage: muster-allocations THRESHOLDS"), (["--nothing"], "no option --nothing"),
        (["/no/such/thresholds"], "/no/such/thresholds cannot be read"),
      ])
    func allocations(_ arguments: [String], _ fault: String) async throws {
      let process = try ServerProcess(
        name: "muster-allocations", executable: Binaries.url("muster-allocations"),
        arguments: arguments)
      #expect(await process.ended() == 64)
      #expect(process.errors.contains(fault), "\(process.errors)")
    }

    @Test func configurationFile() async throws {
      try await withStack { stack in
        let file = stack.directory.appendingPathComponent("muster.conf")
        try "# a comment\nlog-level = info\ncolour = blue\n"
          .write(to: file, atomically: true, encoding: .utf8)
        try await expectEnd(
          "gateway", in: stack, ["--config", file.path], status: 64, says: "unknown setting: colour"
        )
        try "log-level info\n".write(to: file, atomically: true, encoding: .utf8)
        try await expectEnd(
          "gateway", in: stack, ["--config", file.path], status: 64, says: "line 1")
      }
    }

    @Test func secrets() async throws {
      try await withStack { stack in
        let short = "a-short-secret"
        for variable in ["MUSTER_AUTH_SECRET", "MUSTER_OPERATOR_SECRET"] {
          let process = try await stack.spawn(
            "gateway", ["--listen", "127.0.0.1:0"], environment: [variable: short])
          #expect(await process.ended() == 78)
          #expect(process.errors.contains("fewer than 32 characters"))
          #expect(!process.errors.contains(short), "a secret is never printed")
        }
        try await expectEnd(
          "gateway", in: stack, [], environment: ["MUSTER_AUTH_SECRET": ""], status: 78,
          says: "--auth-secret is required")
        let developing = try await stack.spawn(
          "gateway", ["--listen", "127.0.0.1:0", "--development"],
          environment: ["MUSTER_AUTH_SECRET": short])
        try await developing.ready()
        developing.signal(SIGTERM)
        #expect(await developing.ended() == 0)
      }
    }

    @Test("a service that an operator starts again is nothing that the gateway warns of")
    func plannedRestart() async throws {
      try await withStack { stack in
        let (service, gateway) = (
          try await stack.process("context/1"), try await stack.process("gateway")
        )
        #expect(await gateway.logged("service reached service=context"))
        service.signal(SIGTERM)
        #expect(await service.ended() == 0)
        let reason = #"service=context partition=1/1 reason="closed by the peer""#
        #expect(await gateway.logged("info muster-gateway services: service lost \(reason)"))
        try await stack.start("context/1")
        #expect(await gateway.logged("service back service=context partition=1/1 seconds="))
        #expect(!gateway.errors.contains("service refused"), "\(gateway.errors)")
      }
    }

    @Test("a service that stays away is a warning that says how long, and its return is told")
    func lostService() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let gateway = try await stack.process("gateway")
        let other = try await stack.process("context/1")
        for process in [gateway, other] {
          #expect(await process.logged("service reached service=context partition=2/2"))
        }
        try await stack.kill("context/2")
        #expect(await gateway.logged("service lost service=context partition=2/2 reason="))
        let line =
          /warning muster-gateway services: service lost .*partition=2\/2 .*seconds=([0-9]+)/
        #expect(await gateway.logged("warning muster-gateway services: service lost"))
        let match = try #require(try line.firstMatch(in: gateway.errors), "\(gateway.errors)")
        #expect((Int(match.1) ?? 0) >= Int(ServiceWatch.patienceMilliseconds / 1000))
        // Each process names its partition; the context's other one has a link to it as well.
        #expect(await other.logged("warning muster-context 1/2 services: service lost"))
        try await stack.start("context/2")
        #expect(await gateway.logged("service back service=context partition=2/2 seconds="))
      }
    }

    @Test func portInUse() async throws {
      try await withStack { stack in
        let port = stack.gatewayPort
        let other = stack.directory.appendingPathComponent("other").path
        try await stack.createStore("context/1", at: other)
        try await expectEnd(
          "gateway", in: stack, [], status: 69, says: "port \(port) is in use by another process")
        try await expectEnd(
          "context/1", in: stack,
          ["--listen", "127.0.0.1:\(port)", "--data-directory", other], status: 69,
          says: "port \(port) is in use by another process")
      }
    }

    @Test func certificates() async throws {
      try await withStack { stack in
        try await expectEnd(
          "gateway", in: stack, ["--certificate", "/no/such.pem"], status: 69,
          says: "/no/such.pem: No such file or directory")
        try await expectEnd(
          "gateway", in: stack, ["--key", stack.certificate("context.key")], status: 69,
          says: "context.key")
        try await expectEnd(
          "gateway", in: stack, ["--authority", "/no/such.pem"], status: 69,
          says: "/no/such.pem: No such file or directory")
      }
    }

    @Test func storeInUse() async throws {
      try await withStack { stack in
        try await expectEnd(
          "leaderboard/1", in: stack, ["--listen", "127.0.0.1:0"], status: 69,
          says: "in use by another process")
      }
    }

    @Test("7.3 a list of erased players that cannot be kept is a failed start")
    func erasedList() async throws {
      try await withStack { stack in
        let copy = stack.directory.appendingPathComponent("fresh").path
        try await stack.createStore("leaderboard/1", at: copy)
        try await expectEnd(
          "leaderboard/1", in: stack,
          ["--data-directory", copy, "--erased-list", "/no/such/folder/players"], status: 69,
          says: "--erased-list cannot be kept: /no/such/folder/players: No such file or directory")
      }
    }

    @Test("a store is made when that is asked for, and by no start")
    func missingStore() async throws {
      try await withStack { stack in
        let data = stack.directory.appendingPathComponent("empty").path
        let flags = ["--listen", "127.0.0.1:0", "--data-directory", data]
        for text in ["There is no store at \(data). ", "--data-directory \(data) --partition 1/1"] {
          try await expectEnd("leaderboard/1", in: stack, flags, status: 69, says: text)
        }
        #expect(!FileManager.default.fileExists(atPath: data), "nothing is made")
        for text in ["made a store in \(data)", "there is a store in \(data) already"] {
          let before = contents(of: data)
          let made = try await stack.spawn("leaderboard/1", flags + ["--create-store"])
          #expect(await made.ended() == 0 && made.output.contains(text), "\(made.errors)")
          #expect(!made.output.contains(" ready on port "))
          #expect(before.isEmpty || contents(of: data) == before, "a store is left as it is")
        }
        let process = try await stack.spawn("leaderboard/1", flags)
        try await process.ready()
        try await expectEnd(
          "leaderboard/1", in: stack, flags + ["--create-store"], status: 69,
          says: "in use by another process")
        process.signal(SIGTERM)
        #expect(await process.ended() == 0)
        try FileManager.default.removeItem(atPath: data + "/leaderboard.journal.sqlite")
        try await expectEnd(
          "leaderboard/1", in: stack, flags + ["--create-store"], status: 69,
          says: "A part of the store is missing")
        let file = stack.directory.appendingPathComponent("create.conf")
        try "create-store = true\n".write(to: file, atomically: true, encoding: .utf8)
        try await expectEnd(
          "leaderboard/1", in: stack, ["--config", file.path], status: 64,
          says: "--create-store is said on the command line alone")
      }
    }

    private func contents(of folder: String) -> [String: Data] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data())
        })
    }

    /// A process that hid the rows of half of the slots would look as if they had never been there.
    @Test func storeOfAnotherPartition() async throws {
      try await withStack { stack in
        try await stack.expectServes()
        let running = try await stack.process("leaderboard/1")
        running.signal(SIGTERM)
        #expect(await running.ended() == 0)
        let addresses = "127.0.0.1:1,127.0.0.1:2"
        for partition in ["1/2", "2/2"] {
          try await expectEnd(
            "leaderboard/1", in: stack, ["--partition", partition, "--leaderboard", addresses],
            status: 69, says: "The store was written as partition 1/1, not as \(partition).")
        }
        try await stack.start("leaderboard/1")
        try await stack.expectServes()
      }
    }

    /// Copies of a real store, damaged in different ways: each is refused, and none is changed.
    @Test func storesThatCannotBeUsed() async throws {
      try await withStack { stack in
        try await stack.expectServes()
        let running = try await stack.process("leaderboard/1")
        running.signal(SIGTERM)
        #expect(await running.ended() == 0)
        let data = stack.directory.appendingPathComponent("data/leaderboard/1")
        let tables = "leaderboard.tables.sqlite"
        let journal = "leaderboard.journal.sqlite"
        let schemaVersion: UInt64 = 60
        let newer: [UInt8] = [0, 0, 3, 231]
        for (damage, text): (@Sendable (URL) throws -> Void, String) in [
          ({ try write(newer, at: schemaVersion, to: $0, tables) }, "its format is 999"),
          ({ try write(newer, at: schemaVersion, to: $0, journal) }, "its format is 999"),
          ({ try write(Array("no database".utf8), at: 0, to: $0, tables) }, "damaged"),
          ({ try write(Array("no database".utf8), at: 0, to: $0, journal) }, "damaged"),
          ({ try remove(journal, from: $0) }, "A part of the store is missing: "),
          ({ try remove(tables, from: $0) }, "A part of the store is missing: "),
          ({ try truncate(tables, in: $0) }, "damaged"),
          ({ try truncate(journal, in: $0) }, "damaged"),
        ] {
          let copy = stack.directory.appendingPathComponent("copy")
          try? FileManager.default.removeItem(at: copy)
          try FileManager.default.copyItem(at: data, to: copy)
          try damage(copy)
          try await expectEnd(
            "leaderboard/1", in: stack, ["--data-directory", copy.path], status: 69, says: text)
        }
        try await stack.start("leaderboard/1")
      }
    }
  }
}

private func write(_ bytes: [UInt8], at offset: UInt64, to folder: URL, _ name: String) throws {
  let handle = try FileHandle(forUpdating: folder.appendingPathComponent(name))
  try handle.seek(toOffset: offset)
  try handle.write(contentsOf: bytes)
  try handle.close()
}

private func remove(_ name: String, from folder: URL) throws {
  try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
}

private func truncate(_ name: String, in folder: URL) throws {
  let handle = try FileHandle(forUpdating: folder.appendingPathComponent(name))
  try handle.truncate(atOffset: 0)
  try handle.close()
}
