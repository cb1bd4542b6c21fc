import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension Operating {
  /// Each key is changed under players, by the steps of the run book, on two gateways one after the
  /// other.
  @Suite struct KeyRotation {
    private static let purposes = [
      "identities", "tokens", "devices", "game-servers", "nonces", "tickets",
    ]

    private static func lines(_ purposes: [String], isNewCurrent: Bool) -> [String] {
      purposes.flatMap {
        [
          "key \($0) 1 auth-secret\(isNewCurrent ? "" : " current")",
          "key \($0) 2 \(KeyFiles.key)\(isNewCurrent ? " current" : "")",
        ]
      }
    }

    /// New keys are known, then used; then the old ones are gone, but for those of pairs.
    private static let known = lines(purposes + ["pairs"], isNewCurrent: false)
    private static let used = lines(purposes + ["pairs"], isNewCurrent: true)
    private static let gone =
      purposes.map { "key \($0) 2 \(KeyFiles.key) current" } + lines(["pairs"], isNewCurrent: true)

    @Test("every key is changed under players who stay, and no player or pair's context is lost")
    func everyKey() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        let (here, there) = (stack.configuration, stack.secondGateway)
        var players = [try await stack.player("Anna")]
        for name in ["Ben", "Cleo"] {
          let friend = try await stack.player(name)
          try await befriend(players[0], friend)
          players.append(friend)
        }
        let pair = try await context(of: players[0], with: players[1])
        let first = try await stack.credential(at: here)

        try await files.change("gateway", to: Self.known, stack)
        try await files.change("gateway/2", to: Self.known, stack)
        #expect(try await context(of: players[0], with: players[1]) == pair)
        #expect(try await stack.credential(at: there) == first)

        // The second gateway is one step ahead: each takes what the other makes.
        try await files.change("gateway/2", to: Self.used, stack)
        let ben = (try await stack.signedIn(players[1].1, at: there), players[1].1)
        #expect(try await context(of: ben, with: players[0]) == pair)
        let cleo = (try await stack.signedIn(players[2].1, at: there), players[2].1)
        let newPair = try await context(of: cleo, with: players[0])
        #expect(try await context(of: players[0], with: players[2]) == newPair)
        let newcomer = MusterClient(there)
        let credential = try await newcomer.signUp(displayName: "Dora")
        players.append((try await stack.signedIn(credential, at: here), credential))
        let next = try await stack.credential(at: there)
        #expect(next.hasPrefix("2.") && first.hasPrefix("1."))
        for place in [here, there] {
          #expect(await stack.isServer(first, at: place))
          #expect(await stack.isServer(next, at: place))
        }

        // Both use it: each device that signs in needs the new key alone.
        try await files.change("gateway", to: Self.used, stack)
        for (client, credential) in players {
          _ = try await client.call(ListFriends())
          try await stack.signedIn(credential, at: here).close()
        }
        let counts = try await deviceCounts(stack)
        #expect(counts[1] == nil && counts[2] == players.count, "\(counts)")

        try await files.change("gateway/2", to: Self.gone, stack)
        try await files.change("gateway", to: Self.gone, stack)
        for (client, credential) in players {
          _ = try await client.call(ListFriends())
          for place in [here, there] {
            let again = try await stack.signedIn(credential, at: place)
            _ = try await again.call(ListFriends())
            await again.close()
          }
        }
        for place in [here, there] {
          #expect(await stack.isServer(next, at: place))
          #expect(await !stack.isServer(first, at: place), "made with the key that is gone")
        }
        #expect(try await context(of: players[0], with: players[1]) == pair)
        #expect(try await context(of: players[0], with: players[2]) == newPair)
        for (client, _) in players + [ben, cleo] { await client.close() }
        await newcomer.close()
      }
    }

    private typealias Player = (client: MusterClient, Credential)

    private func context(of player: Player, with other: Player) async throws -> ContextID {
      try await player.client.createContext(with: other.1.player).context
    }

    /// How many devices need which key, by its number.
    private func deviceCounts(_ stack: Stack) async throws -> [Int: Int] {
      let client = try await stack.operatorClient()
      let reply = try await client.call(DeploymentStatus()).get()
      await client.end()
      let metrics = try #require(reply.processes.first { $0.name == "muster-request" }).metrics
      return metrics.reduce(into: [:]) { counts, metric in
        guard metric.name == "devices.by_key" else { return }
        counts[Int(metric.label) ?? 0] = Int(metric.value)
      }
    }

    @Test("a session's token and a ticket of TLS are good until the key is gone that made them")
    func tokens() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        let (player, credential) = try await stack.player("Anna")
        await player.close()
        let ports = stack.gatewayPorts
        let old = try await token(credential, stack, ports[0])
        let ticket = stack.directory.appendingPathComponent("ticket").path
        #expect(try await stack.connect(["-sess_out", ticket]).contains("New, TLSv1.3"))
        #expect(try await stack.connect(["-sess_in", ticket]).contains("Reused, TLSv1.3"))

        for gateway in ["gateway", "gateway/2"] {
          try await files.change(gateway, to: Self.known, stack)
        }
        try await files.change("gateway/2", to: Self.used, stack)
        let new = try await token(credential, stack, ports[1])
        for port in ports {
          #expect(try await resumes(old, stack, port) == nil)
          #expect(try await resumes(new, stack, port) == nil)
        }
        #expect(try await stack.connect(["-sess_in", ticket]).contains("Reused, TLSv1.3"))
        try await files.change("gateway", to: Self.used, stack)
        #expect(try await resumes(old, stack, ports[0]) == nil)
        #expect(try await stack.connect(["-sess_in", ticket]).contains("New, TLSv1.3"))

        try await files.change("gateway", to: Self.gone, stack)
        #expect(try await resumes(old, stack, ports[0]) == .invalidCredential)
        #expect(try await resumes(new, stack, ports[0]) == nil)
      }
    }

    private func token(_ credential: Credential, _ stack: Stack, _ port: UInt16) async throws
      -> Bytes
    {
      let client = try stack.client(at: port)
      let started = try await client.call(SignIn(credential)).get()
      await client.end()
      return started.token
    }

    private func resumes(_ token: Bytes, _ stack: Stack, _ port: UInt16) async throws
      -> FailureCode?
    {
      let client = try stack.client(at: port)
      var resume = Resume()
      resume.token = token
      let code = await client.call(resume).code
      await client.end()
      return code
    }
  }
}

extension Stack {
  fileprivate nonisolated func client(at port: UInt16) throws -> RawClient {
    try RawClient(port: port, TLSClientContext(trust: .authority(authority)))
  }
}
