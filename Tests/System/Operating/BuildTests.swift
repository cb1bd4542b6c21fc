import Foundation
import MusterKit
import Stack
import Testing
import Wire

extension Operating {
  /// How an operator tells two builds of one version apart.
  @Suite struct Builds {
    /// Of a program's note of the linker: its sizes, its type and the owner.
    private static let noteHead = Data([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8))

    /// The build that a program prints.
    private func build(of program: URL) async throws -> String {
      let process = try ServerProcess(
        name: "version", executable: program, arguments: ["--version"])
      #expect(await process.ended() == 0)
      let words = process.output.split(whereSeparator: \.isWhitespace)
      let version = "\(program.lastPathComponent) \(MusterVersion.text) (build "
      #expect(process.output.hasPrefix(version), "\(process.output)")
      return String(try #require(words.last).dropLast())
    }

    /// Where the linker's note of a program is within its file.
    private func note(in file: Data) throws -> Range<Int> {
      let head = try #require(file.range(of: Self.noteHead))
      return head.upperBound..<head.upperBound + 20
    }

    @Test("each program prints the build that the linker has written into it")
    func programs() async throws {
      var builds: Set<String> = []
      for name in ["muster", "muster-gateway", "muster-context", "muster-request"] {
        let program = Binaries.url(name)
        let build = try await build(of: program)
        let file = try Data(contentsOf: program, options: .alwaysMapped)
        let note = try note(in: file)
        let written = file[note].prefix(6)
        #expect(build == written.map { String(format: "%02x", $0) }.joined())
        builds.insert(build)
      }
      #expect(builds.count == 4)
    }

    @Test("a process of another build is told from its like by log, status and doctor")
    func sideBySide() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let other = try await programs(in: stack, another: "muster-context")
        let own = try await build(of: Binaries.url("muster-context"))
        let new = try await build(of: other.url("muster-context"))
        #expect(own != new)
        #expect(try await stack.stop("context/2") == 0)
        try await stack.start("context/2", from: other)
        for (name, build) in [("context/1", own), ("context/2", new)] {
          let process = try await stack.process(name)
          #expect(await process.logged(" build="))
          let first = try #require(process.errors.split(separator: "\n").first)
          let told = ": starts version=\(MusterVersion.text) build=\(build)"
          #expect(first.hasSuffix(told), "\(first)")
        }
        let status = try await Tools.muster(working: stack, ["status"])
        let rows = status.split(separator: "\n").filter {
          $0.contains("muster-context") && $0.contains(MusterVersion.text)
        }
        try #require(rows.count == 2, "\(status)")
        #expect(rows[0].contains(own) && rows[1].contains(new), "\(rows)")
        let doctor = try Tools.muster(stack, ["doctor"])
        await doctor.ended()
        let parts = ["\(own) of 1/2", "\(new) of 2/2"].sorted().joined(separator: " and ")
        let lines = doctor.output.split(separator: "\n")
        let line = try #require(lines.first { $0.contains("builds") })
        #expect(line.hasPrefix("yellow ") && line.hasSuffix("muster-context: \(parts)"), "\(line)")
      }
    }

    /// The stack's programs, one of which has another note.
    private func programs(in stack: Stack, another name: String) async throws -> Programs {
      let folder = stack.directory.appendingPathComponent("other-build")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for program in ["gateway", "context", "request", "leaderboard"].map({ "muster-\($0)" }) {
        try FileManager.default.createSymbolicLink(
          at: folder.appendingPathComponent(program),
          withDestinationURL: Binaries.url(program))
      }
      let changed = folder.appendingPathComponent(name)
      try FileManager.default.removeItem(at: changed)
      var file = try Data(contentsOf: Binaries.url(name))
      let note = try note(in: file)
      file[note.lowerBound] ^= 0xff
      try file.write(to: changed)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: changed.path)
      return try await Programs.read(folder)
    }
  }
}
