import Foundation
import Stack
import Testing
import Wire

extension System {
  /// What the scripts in `deploy` print for each process, beside what the programs say themselves.
  @Suite struct Samples {
    private static let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func output(of script: String) async throws -> String {
      let process = try ServerProcess(
        name: "bash", executable: URL(fileURLWithPath: "/bin/bash"),
        arguments: ["-c", "cd '\(Self.root.path)' && \(script)"])
      #expect(await process.ended() == 0, "\(process.errors)")
      return process.output
    }

    @Test("the scripts know every process, in the order of their ports")
    func scripts() async throws {
      let names = Service.allCases.map(\.name)
      let listed = try await output(of: ". .ci/common && processes")
      #expect(listed.split(separator: "\n").map(String.init) == names)
      let whole = try await output(of: "deploy/container/compose-file")
      let part = try await output(of: "deploy/container/compose-file --without context")
      for service in Service.behindGateway {
        let (name, port) = (service.name, 7400 + Int(service.rawValue))
        #expect(whole.contains("MUSTER_\(name.uppercased()): \(name):\(port)\n"))
        #expect(part.contains("muster-\(name) ") == (service != .context))
      }
      #expect(part.contains("MUSTER_CONTEXT: none\n"))
    }

    /// One that goes to work instead builds for minutes, or takes what it is given for a number.
    @Test("every script says what it is for when it is asked")
    func help() async throws {
      let folder = Self.root.appendingPathComponent(".ci")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        let file = folder.appendingPathComponent(name)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        guard lines[0].hasPrefix("#!"), name != "keep-running" else { continue }
        #expect(lines.contains(". .ci/common"), "\(name) asks .ci/common for --help")
        let help = try await output(of: "cd .ci && ./\(name) --help")
        #expect(help.hasPrefix(lines[1].dropFirst(2)), "\(name)")
      }
    }

    @Test(
      "a script refuses wrong arguments before it builds",
      arguments: [
        (".ci/run-stack --directory", "--directory needs a value"),
        (".ci/run-stack --ports abc", "in a row, not abc"),
        (".ci/run-stack --ports 65533", "in a row, not 65533"),
        (".ci/run-stack --configuration /nowhere", "there is no folder /nowhere"),
        (".ci/bare-machine --root", "--root needs a value"),
        (".ci/programs --foo", "there is no option --foo"),
        ("deploy/container/compose-file --without leaderbord", "there is no service leaderbord"),
        ("deploy/container/compose-file --without gateway", "there is no service gateway"),
      ])
    func wrongArguments(script: String, sentence: String) async throws {
      let swift = "swift() { echo built; return 1; } && export -f swift"
      let said = try await output(of: "\(swift) && ! \(script) 2>&1")
      #expect(said.contains(sentence) && !said.contains("built"), "\(said)")
    }

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
      "A configuration file names settings of its program; one that is commented out, its default",
      arguments: Service.allCases)
    func names(of service: Service) async throws {
      let name = service.name
      let settings = try await settings(of: "muster-\(name)")
      #expect(settings["log-format"] == "human", "the help is read")
      let file = try await output(of: "deploy/configuration-file \(name)")
      // A service's port is for Muster's own processes.
      let address = service == .gateway ? "0.0.0.0" : "127.0.0.1"
      #expect(file.contains("\nlisten = \(address):\(7400 + Int(service.rawValue))\n"))
      for other in Service.behindGateway {
        #expect(file.contains("\n\(other.name) = 127.0.0.1:\(7400 + Int(other.rawValue))\n"))
      }
      for line in file.split(separator: "\n") {
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
