import Foundation
import Stack
import Testing

extension System {
  /// The configuration files in `deploy/samples`, beside what the programs say of their settings.
  @Suite struct Samples {
    private static let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("deploy/samples")

    /// The settings that a program's `--help` lists, with their defaults.
    private func settings(of program: String) async throws -> [String: String?] {
      let process = try ServerProcess(
        name: program, executable: Binaries.url(program), arguments: ["--help"])
      #expect(await process.ended() == 0, "\(process.errors)")
      let option = /^  --([a-z-]+)(?: VALUE)?  \(MUSTER_[A-Z_]+(?:; default ([^;)]+))?/
      let lines = process.output.split(separator: "\n").compactMap { $0.firstMatch(of: option) }
      return Dictionary(uniqueKeysWithValues: lines.map { (String($0.1), $0.2.map(String.init)) })
    }

    @Test(
      "A sample names settings that its program has; one that is commented out shows the default",
      arguments: ["gateway", "context", "request", "leaderboard"])
    func names(of name: String) async throws {
      let settings = try await settings(of: "muster-\(name)")
      #expect(settings["log-format"] == "human", "the help is read")
      let file = Self.folder.appendingPathComponent("\(name).conf")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      for line in lines {
        guard let match = line.wholeMatch(of: /(# )?([a-z-]+) = (.*)/) else {
          #expect(line.hasPrefix("#"), "\(line)")
          continue
        }
        let fallback = settings[String(match.2)]
        #expect(fallback != nil, "muster-\(name) has no setting \(match.2)")
        if match.1 != nil { #expect(fallback == String(match.3), "\(line)") }
      }
    }
  }
}
