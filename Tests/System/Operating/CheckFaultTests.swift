import Foundation
import Stack
import Testing

extension Operating.Checks {
  @Test("wrong settings hide no file that is missing, and no missing file another one")
  func all() async throws {
    try await withStack { stack in
      for (flag, value, words) in [
        ("--listen", "nowhere", "--listen takes host:port"),
        ("--connections-max", "many", "--connections-max takes a whole number"),
      ] {
        let settings = [flag, value, "--ready-file", "/no/such/ready"]
        try await expect(
          "gateway", in: stack,
          settings + [
            "--certificate", "/no/such.pem", "--key", "/no/such.key", "--authority", "/no/such/ca",
            "--client-certificate", "/no/client.pem", "--client-key", "/no/client.key",
            "--keys-file", "/no/such/keys",
          ], environment: ["MUSTER_AUTH_SECRET": "short"], finds: ["identity providers: none"],
          faults: [
            words, "--auth-secret has fewer than 32", "certificate /no/such.pem: No such file",
            "key /no/such.key: No such file", "authority /no/such/ca: No such file",
            "certificate /no/client.pem: No such file", "key /no/client.key: No such file",
            "--keys-file: /no/such/keys cannot be read", "--ready-file cannot be written",
          ])
        try await expect(
          "request/1", in: stack,
          settings + [
            "--certificate", "/no/such.pem", "--key", "/no/such.key", "--data-directory",
            "/no/store", "--erased-list", "/no/list",
          ], finds: ["files that settings name: can be used"],
          faults: [
            words, "certificate /no/such.pem: No such file", "key /no/such.key: No such file",
            "There is no store at /no/store", "--erased-list cannot be kept: /no: No such file",
            "--ready-file cannot be written",
          ])
      }
      // What is right is told beside what is wrong.
      try await expect(
        "gateway", in: stack, ["--client-key", "/no/client.key"],
        environment: ["MUSTER_OPERATOR_SECRET": "a blank"],
        finds: ["certificates: \(stack.certificate("gateway.pem")) is good for "],
        faults: ["--operator-secret contains a blank", "key /no/client.key: No such file"])
    }
  }

  @Test("a file of keys is told as the log would tell it once it is in use, and no key or secret")
  func keys() async throws {
    try await withStack { stack in
      let path = stack.directory.appendingPathComponent("keys").path
      func write(_ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(
          to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      }
      let purposes = [
        "devices", "game-servers", "identities", "nonces", "pairs", "tickets", "tokens",
      ]
      let keys = purposes.map { "key \($0) 1 auth-secret current" }
      let hash = String(repeating: "ab", count: 32)
      try write(
        keys + [
          "key tokens 2 \(KeyFiles.key)", "game-server 1 3 chess", "operator ben \(hash)",
          "operator ada \(hash)", "end",
        ])
      let flags = ["--keys-file", path]
      let summary =
        "keys in use: keys devices 1, game-servers 1, identities 1, nonces 1, pairs 1, tickets 1, "
        + "tokens 1 and 2; games chess 1 to 3; operators ada, ben\n"
      let check = try await stack.spawn("gateway", ["--check"] + flags)
      #expect(await check.ended() == 0 && check.output.contains(summary), "\(check.output)")
      for secret in [hash, KeyFiles.key, Stack.authSecret, Stack.operatorSecret] {
        #expect(!check.output.contains(secret) && !check.errors.contains(secret))
      }
      // Settings that are wrong do not hide it.
      try await expect(
        "gateway", in: stack, flags + ["--listen", "nowhere"],
        environment: ["MUSTER_OPERATOR_SECRET": "short"], finds: [summary],
        faults: ["--listen takes host:port", "--operator-secret has fewer than 32"])
      try write(["end"])
      try await expect(
        "gateway", in: stack, flags, finds: ["tokens 1; games none; operators none\n"])
      try write(keys)
      let cut = try await stack.spawn("gateway", ["--check"] + flags)
      #expect(await cut.ended() == 1 && !cut.output.contains("keys in use"))
      #expect(cut.errors.contains("--keys-file, \(path): the last line is not `end`"))
    }
  }
}
