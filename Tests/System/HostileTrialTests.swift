#if os(Linux)
  import BenchStack
  import Foundation
  import Stack
  import Testing

  extension System {
    /// Small trials of what `make bench` runs with `ONLY=hostile` and `ONLY=storm`: that the
    /// programs in C do what they say, and that everybody is served after them.
    @Suite struct HostileTrials {
      private func withPrograms(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
          .appendingPathComponent("muster-attack-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for program in ["attack", "storm"] {
          try await BenchStack.Commands.run(
            "clang",
            [
              "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror",
              "-o", folder.appendingPathComponent(program).path,
              BenchStack.Commands.source("Attack/\(program).c"), "-lssl", "-lcrypto",
            ])
        }
        try await body(folder)
      }

      @Test("after each attack everybody is served, and no process has ended")
      func attacks() async throws {
        try await withPrograms { programs in
          try await withStack(.underLoad) { stack in
            for attack in HostileAttack.all {
              var small = attack
              small.connections = min(attack.connections, 64)
              small.rate = attack.rate.map { min($0, 500) }
              let accounts = try await small.accounts(on: stack, programs: programs)
              let attacker = try small.start(
                programs, port: stack.gatewayPort, accounts, seconds: 1)
              let did = try await BenchStack.Commands.json(
                HostileAttack.Report.self, of: attacker)
              try small.expectDone(did, attacker)
              #expect(did.failed == 0 && did.refused == 0, "\(attack.name): \(did.text)")
              try await stack.expectServes()
            }
            for name in stack.names {
              let process = try await stack.process(name)
              #expect(process.status == nil, "\(name): \(process.errors.suffix(2000))")
            }
          }
        }
      }

      @Test("after the gateway was killed all clients come back, by tickets and tokens")
      func storm() async throws {
        try await withPrograms { programs in
          try await withStack(.underLoad) { stack in
            var load = Load()
            load.play = .idle
            load.connections = 50
            let accounts = try await ScriptedLoad(load, on: stack, programs: programs)
            let storm = try await Storm.start(
              programs, 50, port: stack.gatewayPort, on: stack, accounts)
            try await stack.kill("gateway")
            try await stack.start("gateway")
            let report = try await BenchStack.Commands.json(Storm.Report.self, of: storm)
            #expect(report.missing == 0 && report.refused == 0)
            #expect(report.resumed == 50 && report.token_bytes > 60)
            #expect(report.seconds >= report.serving_seconds && report.serving_seconds > 0)
          }
        }
      }
    }
  }
#endif
