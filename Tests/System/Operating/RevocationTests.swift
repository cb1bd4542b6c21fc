import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// A game's server, or an operator, is taken away alone.
  @Suite struct Revocations {
    @Test("one game's credential is revoked, and whoever has it is out at once")
    func gameServers() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        try await stack.declareGame("other")
        let place = stack.configuration
        let before = try await stack.credential(at: place)
        let other = try await stack.credential(of: "other", at: place)
        let gateway = try await stack.process("gateway")
        try await files.change(
          "gateway", to: ["game-server 0 1 \(Stack.game)", "game-server 1 1 mistyped"], stack)
        // Under a name that was mistyped nothing is revoked.
        #expect(await gateway.logged("a line of a game that is not declared"))
        #expect(gateway.errors.contains("game=mistyped"), "\(gateway.errors)")
        #expect(!gateway.errors.contains("declared game=\(Stack.game)"), "\(gateway.errors)")
        #expect(gateway.errors.contains("\(Stack.game) 0 to 1, mistyped 1 to 1"))
        let after = try await stack.credential(at: place)
        #expect(before != after)
        #expect(try await stack.credential(of: "other", at: place) == other)
        let servers = try [before, after, other].map { _ in try stack.client() }
        for (client, credential) in zip(servers, [before, after, other]) {
          var signIn = SignInGameServer()
          signIn.game = credential == other ? "other" : Stack.game
          signIn.credential = credential
          _ = try await client.call(signIn).get()
        }
        let (player, _) = try await stack.player("Anna")

        try await files.change("gateway", to: ["game-server 1 1 \(Stack.game)"], stack)
        #expect(await gateway.logged("what it has signed in with was revoked"))
        #expect(await servers[0].code == .notAuthenticated)
        for other in servers[1...] { #expect(await other.code == nil, "it is not disturbed") }
        #expect(await !stack.isServer(before, at: place))
        #expect(await stack.isServer(after, at: place))
        // The second gateway has not read it yet.
        #expect(await stack.isServer(before, at: stack.secondGateway))
        _ = try await player.call(ListFriends())
        await player.close()
        for client in servers { await client.end() }
      }
    }

    @Test("operators sign in by name, the audit has it, and one is taken away alone")
    func operators() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        let made = try await [line("alice"), line("bob")]
        try await files.change("gateway", to: made.map(\.line), stack)
        let clients = try await self.clients(of: made, stack)
        var ask = GameServerCredential()
        ask.game = Stack.game
        let credential = try await clients[0].call(ask).get().credential
        let here = try await stack.process("gateway")
        #expect(await here.logged("credential told"))
        #expect(here.errors.contains("operator=alice") && !here.errors.contains(credential))
        _ = try await Tools.muster(working: stack, ["signup", "Anna", "--as", "anna"])
        let ban = try Tools.muster(
          stack, ["ban", "anna", "--reason", "cheats"], ["MUSTER_OPERATOR_SECRET": made[0].secret])
        #expect(await ban.ended() == 0, "\(ban.errors)")
        let file = stack.directory.appendingPathComponent("anna.json")
        _ = try await Tools.muster(working: stack, ["export", "anna", file.path])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#""operatorName":"alice""#))

        try await files.change("gateway", to: [made[0].line], stack)
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged("what it has signed in with was revoked"))
        #expect(await clients[0].code == nil)
        #expect(await clients[1].code == .notAuthenticated)
        for (secret, code) in [(made[0].secret, nil), (made[1].secret, .invalidCredential)]
          as [(String, FailureCode?)]
        {
          let client = try stack.client()
          var signIn = SignInOperator()
          signIn.secret = secret
          #expect(await client.call(signIn).code == code)
          await client.end()
        }
        for secret in made.map(\.secret) { #expect(!gateway.errors.contains(secret)) }
        for client in clients { await client.end() }
      }
    }

    /// A client of each operator, who has signed in.
    private func clients(of made: [(secret: String, line: String)], _ stack: Stack) async throws
      -> [RawClient]
    {
      let clients = try made.map { _ in try stack.client() }
      for (client, (secret, _)) in zip(clients, made) {
        var signIn = SignInOperator()
        (signIn.secret, signIn.game) = (secret, Stack.game)
        _ = try await client.call(signIn).get()
      }
      return clients
    }

    @Test("a revocation waits for no certificate to be right, and a certificate for no key")
    func partByPart() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        let made = try await [line("alice"), line("bob")]
        try await files.change("gateway", to: made.map(\.line), stack)
        let clients = try await self.clients(of: made, stack)
        let gateway = try await stack.process("gateway")
        let old = try await stack.serialsShown(by: ["gateway"])
        _ = try await Tools.run(
          "cd '\(stack.certificates.path)' && cp client.key right && cp gateway.key client.key")
        try await files.change("gateway", to: [made[0].line], stack)
        #expect(await gateway.logged("certificates are not renewed"))
        #expect(await clients[1].code == .notAuthenticated)
        #expect(await clients[0].code == nil)
        #expect(try await stack.serialsShown(by: ["gateway"]) == old)

        _ = try await Tools.run("cd '\(stack.certificates.path)' && mv right client.key")
        try Certificates.renew(in: stack.certificates)
        try files.write(["operator bob"], of: "gateway")
        let count = gateway.errors.count
        gateway.signal(SIGHUP)
        #expect(await gateway.logged("certificates renewed", after: count))
        #expect(gateway.errors.contains("keys are not renewed"), "\(gateway.errors)")
        #expect(try await stack.serialsShown(by: ["gateway"]) != old)
        #expect(await clients[0].code == nil, "the operators are those from before")
        for client in clients { await client.end() }
      }
    }

    /// An operator's secret, and the line for the file, as the run book has them made.
    private func line(_ name: String) async throws -> (secret: String, line: String) {
      let printed = try await Tools.run(
        """
        secret="\(name):$(openssl rand -hex 32)"
        echo "operator \(name) $(printf %s "$secret" | sha256sum | cut -d ' ' -f 1)"
        echo "$secret"
        """)
      let lines = printed.split(separator: "\n").map(String.init)
      return (lines[1], lines[0])
    }

    @Test("no gateway takes keys that others can read, or that say nothing clear")
    func refusedFiles() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        let path = stack.directory.appendingPathComponent("keys").path
        let line = "key tokens 1 \(KeyFiles.key) current"
        for (mode, text, words) in [
          (0o644, line, "is open to every user of the machine"),
          (
            0o600, "\n" + line.replacing("tokens", with: "token"),
            "--keys-file, \(path): line 2: a purpose is one of"
          ),
          (0o600, "", "--keys-file, \(path): the last line is not `end`"),
          (0o600, line + "\nend", "--keys-file, \(path): there is no key for devices"),
        ] {
          try Data(text.utf8).write(to: URL(fileURLWithPath: path))
          try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
          let start = try await stack.spawn("gateway", ["--keys-file", path])
          #expect(await start.ended() == 78)
          let check = try await stack.spawn("gateway", ["--check", "--keys-file", path])
          #expect(await check.ended() == 1)
          for process in [start, check] {
            #expect(process.errors.contains(words), "\(process.errors)")
            #expect(!process.errors.contains(KeyFiles.key), "a key is never printed")
          }
        }
        // What is wrong when it is read anew changes nothing.
        let credential = try await stack.credential(at: stack.configuration)
        let gateway = try await stack.process("gateway")
        try files.write(["game-server 2 1 \(Stack.game)"], of: "gateway")
        gateway.signal(SIGHUP)
        #expect(await gateway.logged("keys are not renewed"))
        #expect(gateway.errors.contains("line 1: it is written `game-server"))
        #expect(await stack.isServer(credential, at: stack.configuration))
      }
    }
  }
}

extension RawClient {
  /// Why the client is told nothing of the deployment; nil when it is, as operators and games'
  /// servers are.
  fileprivate var code: FailureCode? {
    get async {
      var describe = DescribeLeaderboard()
      describe.board = "none"
      // The connection that was closed is made anew, and nobody is signed in on it.
      while true {
        let code = await call(describe).code
        if code != .disconnected { return code == .notFound ? nil : code }
      }
    }
  }
}
