#if os(Linux)
  import BenchStack
  import Foundation
  import MusterKit
  import Stack
  import Testing
  import Transport

  extension System {
    /// Small trials of what `make bench` runs with `ONLY=hostile` and `ONLY=storm`: that the
    /// programs in C do what they say, and that everybody is served beside them and after them.
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

      /// Of one loop, whose places for handshakes a small attack can take.
      private static var victim: Stack.Options {
        var options = Stack.Options.underLoad
        options.flags["gateway", default: []] += ["--loops", "1"]
        return options
      }

      private static func small(_ attack: HostileAttack) -> HostileAttack {
        var small = attack
        let placesMax = Acceptor.unfinishedMax
        small.connections = min(attack.connections, attack.onlyConnects ? placesMax * 3 / 2 : 64)
        // At a rate it would end its own oldest connections, and so make room itself.
        small.rate = nil
        return small
      }

      @Test(
        "beside each attack new players sign in, after it all is well, and no process has ended")
      func attacks() async throws {
        try await withPrograms { programs in
          try await withStack(Self.victim) { stack in
            for attack in HostileAttack.all.map(Self.small) {
              let accounts = try await attack.accounts(on: stack, programs: programs)
              let attacker = try attack.start(programs, port: stack.gatewayPort, accounts)
              #expect(await attacker.printed("under way"), "\(attack.name): \(attacker.errors)")
              for _ in 1...3 { try await stack.expectNewcomer(beside: attack) }
              #expect(attacker.status == nil, "\(attack.name) ended while players came")
              attacker.signal(SIGTERM)
              let did = try await BenchStack.Commands.json(
                HostileAttack.Report.self, of: attacker)
              try attack.expectDone(did, attacker)
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

  extension Stack {
    /// That a player who was never here signs up and in, over a new connection.
    ///
    /// An attacker's handshake ends after ten seconds at the latest. Whoever gets in only by that
    /// was kept out, so the player has less time; without an attack it takes milliseconds.
    fileprivate nonisolated func expectNewcomer(beside attack: HostileAttack) async throws {
      var configuration = configuration
      configuration.callDeadline = .milliseconds(
        ConnectionLimits.client.handshakeMilliseconds * 4 / 5)
      let client = MusterClient(configuration)
      do {
        try await client.signIn(client.signUp(displayName: "Newcomer"))
      } catch { Issue.record("beside \(attack.name) nobody gets in: \(error)") }
      await client.close()
    }
  }
#endif
