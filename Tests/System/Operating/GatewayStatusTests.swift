import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// What gateways tell of themselves that nobody else could.
  @Suite struct GatewayStatus {
    /// What the doctor finds of the keys of both gateways when it compares them.
    private func verdict(_ stack: Stack) async throws -> String {
      try await verdicts(stack).first ?? "none"
    }

    /// All that the doctor finds of keys.
    private func verdicts(_ stack: Stack) async throws -> [String] {
      let places = stack.gatewayPorts.map { "127.0.0.1:\($0)" }
      let doctor = try Tools.muster(stack, ["doctor", "--deadline", "5"] + places)
      let code = await doctor.ended()
      let lines = doctor.output.split(separator: "\n")
      #expect((code == 0) == !lines.contains { $0.hasPrefix("red") }, "\(doctor.output)")
      #expect(!doctor.output.contains(KeyFiles.key), "no key is told")
      return lines.filter { $0.contains(" keys  ") }.map(String.init)
    }

    @Test("gateways with different keys are red, by line, until they have the same again")
    func keys() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        #expect(try await verdict(stack).hasPrefix("green"))
        let other = String(KeyFiles.key.reversed())
        func lines(_ key: String) -> [String] {
          ["identities", "devices", "game-servers", "nonces", "tickets", "pairs"].map {
            "key \($0) 1 auth-secret current"
          } + ["key tokens 1 auth-secret", "key tokens 2 \(key) current"]
        }
        try await files.change("gateway", to: lines(KeyFiles.key), stack)
        let half = try await verdict(stack)
        #expect(half.hasPrefix("red") && half.contains("key tokens 2 "), "\(half)")
        // The same number, and another key.
        try await files.change("gateway/2", to: lines(other), stack)
        let wrong = try await verdict(stack)
        #expect(wrong.hasPrefix("red") && !wrong.contains("key tokens 1"), "\(wrong)")
        try await files.change("gateway/2", to: lines(KeyFiles.key), stack)
        #expect(try await verdict(stack).hasPrefix("green"))
      }
    }

    @Test("a key that devices still need is told where it is gone from all gateways alike")
    func deviceKeys() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        func lines(_ devices: [String]) -> [String] {
          ["identities", "tokens", "game-servers", "nonces", "tickets", "pairs"].map {
            "key \($0) 1 auth-secret current"
          } + devices
        }
        let (player, credential) = try await stack.player("Anna")
        await player.close()
        let both = ["key devices 1 auth-secret", "key devices 2 \(KeyFiles.key) current"]
        for gateway in ["gateway", "gateway/2"] {
          try await files.change(gateway, to: lines([both[1]]), stack)
        }
        let removed = try await verdicts(stack)
        try #require(removed.count == 2 && removed[0].hasPrefix("green"), "\(removed)")
        #expect(removed[1].hasPrefix("yellow"), "\(removed)")
        #expect(removed[1].contains("the key devices 1 is missing at 127.0.0.1:"), "\(removed)")
        for gateway in ["gateway", "gateway/2"] {
          try await files.change(gateway, to: lines(both), stack)
        }
        let back = try await verdicts(stack)
        #expect(back.count == 1 && back[0].hasPrefix("green"), "\(back)")
        try await stack.signedIn(credential, at: stack.configuration).close()
      }
    }

    @Test("how long clients' calls take is measured by service")
    func callTimes() async throws {
      try await withStack { stack in
        let (player, _) = try await stack.player("Anna")
        for _ in 1...3 { _ = try await player.call(ListFriends()) }
        let client = try await stack.operatorClient()
        let reply = try await client.call(DeploymentStatus()).get()
        await client.end()
        await player.close()
        let gateway = try #require(reply.processes.first)
        let times = gateway.metrics.filter { $0.name == "calls.client_time" }
        let counts = times.reduce(into: [String: UInt64]()) { $0[$1.label] = $1.value }
        #expect(times.allSatisfy { $0.unit == "milliseconds" && $0.windows.count == 2 })
        #expect(counts["request", default: 0] >= 3, "\(counts)")
        #expect(counts["gateway", default: 0] >= 3, "a sign-up and two sign-ins: \(counts)")
      }
    }
  }
}
