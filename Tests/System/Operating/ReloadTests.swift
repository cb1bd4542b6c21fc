import Foundation
import Stack
import Testing

extension System {
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
        }
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
