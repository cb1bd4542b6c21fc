import Foundation
import Stack
import Terminal
import Testing

@testable import muster

@Suite struct OutputTests {
  @Test("what cannot be written is noticed, and nothing is written after it")
  func failure() throws {
    let path = NSTemporaryDirectory() + "muster-output-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(fileURLWithPath: path))
    for (handle, isWritten) in [
      (try #require(FileHandle(forWritingAtPath: path)), true),
      (try #require(FileHandle(forReadingAtPath: path)), false),
    ] {
      var output = Output(isJSON: false, paint: Paint(isOn: false))
      output.descriptor = handle.fileDescriptor
      output.note("shown")
      #expect((output.failure == nil) == isWritten)
      #expect(isWritten || output.failure?.text.hasPrefix("standard output cannot be") == true)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "shown\n")
  }

  @Test(
    "a command whose output has no room ends with 74",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["completion bash", "--version", "help", "whoami --help"])
  func full(_ line: String) async throws {
    let command = try ServerProcess(
      name: "muster", executable: URL(fileURLWithPath: "/bin/bash"),
      arguments: ["-c", "'\(Binaries.url("muster").path)' \(line) >/dev/full"])
    #expect(await command.ended() == ExitCode.inputOutput.rawValue)
    #expect(command.errors.contains("standard output cannot be written"), "\(command.errors)")
  }
}
