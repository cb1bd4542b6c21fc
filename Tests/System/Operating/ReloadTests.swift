import Foundation
import Operations
import Stack
import Testing

extension Operating {
  /// What operators are told of a reload that does less than they want.
  @Suite struct Reloads {
    /// Runs a test with a deployment, whose gateway and one service have configuration files.
    private func withFiles(_ body: (Stack, SettingFiles) async throws -> Void) async throws {
      let files = SettingFiles()
      var options = Stack.Options()
      options.flags["gateway"] = ["--loops", "2"]
      defer { files.remove() }
      for name in SettingFiles.names {
        try files.write("metrics-seconds = 30\n", of: name)
        options.environments[name] = ["MUSTER_CONFIG": files.path(of: name)]
      }
      try await withStack(options) { try await body($0, files) }
    }

    @Test("settings that were changed since the start are named at a reload, without their values")
    func changedSettings() async throws {
      try await withFiles { stack, files in
        let text = "# A comment.\nmetrics-seconds = 31\n"
        try files.write(text, of: "context/1")
        try files.write(text + "keys-file = /no/such/keys\n", of: "gateway")
        for (name, settings) in [
          ("context/1", "settings=metrics-seconds"),
          ("gateway", #"settings="keys-file, metrics-seconds""#),
        ] {
          let process = try await stack.process(name)
          process.signal(SIGHUP)
          let words = "the configuration has changed since the start: restart to use it"
          #expect(await process.logged(words))
          let line = process.errors.split(separator: "\n").last { $0.contains(words) } ?? ""
          #expect(line.contains(" warning ") && line.contains(settings), "\(line)")
          #expect(!process.errors.contains("/no/such/keys"))
          #expect(try await told(by: name, in: stack) == ["reload.configuration_changed  1"])
        }
        let doctor = try Tools.muster(stack, ["doctor"])
        await doctor.ended()
        for name in ["context", "gateway"] {
          let words = "muster-\(name) 1/1: its configuration has changed since the start"
          let line = doctor.output.split(separator: "\n").first { $0.contains(words) }
          #expect(line?.hasPrefix("yellow ") == true, "\(doctor.output)")
        }
      }
    }

    @Test("a refused reload is told by the status and the doctor, until a later one is taken")
    func refused() async throws {
      let files = KeyFiles()
      try await files.withGateways { stack in
        let gateway = try await stack.process("gateway")
        #expect(try await told(by: "gateway", in: stack) == ["reload.configuration_changed  0"])
        try files.write(["operator bob"], of: "gateway")
        _ = try await Tools.run("cd '\(stack.certificates.path)' && mv request.key away")
        gateway.signal(SIGHUP)
        #expect(await gateway.logged("keys are not renewed"))
        let service = try await stack.process("request/1")
        service.signal(SIGHUP)
        #expect(await service.logged("certificates are not renewed"))
        for (name, part) in [("gateway", "keys"), ("request/1", "certificates")] {
          #expect(
            try await told(by: name, in: stack)
              == ["reload.configuration_changed  0", "reload.refused \(part) 1"])
        }
        let ill = try Tools.muster(stack, ["doctor"])
        #expect(await ill.ended() == 1)
        for words in ["gateway 1/1: its last reload was refused (keys)", "(certificates)"] {
          let line = ill.output.split(separator: "\n").first { $0.contains(words) }
          #expect(line?.hasPrefix("red ") == true, "\(ill.output)")
        }

        _ = try await Tools.run("cd '\(stack.certificates.path)' && mv away request.key")
        try await files.change("gateway", to: ["# mended"], stack)
        service.signal(SIGHUP)
        #expect(await service.logged("certificates renewed"))
        for name in ["gateway", "request/1"] {
          #expect(try await told(by: name, in: stack) == ["reload.configuration_changed  0"])
        }
      }
    }

    /// What the status has of a process's last reload, as `name label value`.
    private func told(by name: String, in stack: Stack) async throws -> [String] {
      let client = try await stack.operatorClient()
      let reply = try await client.call(DeploymentStatus()).get()
      await client.end()
      let program = "muster-\(name.prefix { $0 != "/" })"
      let process = try #require(reply.processes.first { $0.name == program })
      return process.metrics.filter { $0.name.hasPrefix("reload.") }.map {
        "\($0.name) \($0.label) \($0.value)"
      }
    }
  }
}

/// Configuration files of processes, beside the flags that a stack gives them.
private struct SettingFiles {
  static let names = ["gateway", "context/1"]

  private let prefix = NSTemporaryDirectory() + "muster-settings-\(UUID().uuidString)-"

  func path(of name: String) -> String { prefix + name.replacing("/", with: "-") }

  func write(_ text: String, of name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: name)), options: .atomic)
  }

  func remove() {
    for name in Self.names { try? FileManager.default.removeItem(atPath: path(of: name)) }
  }
}
