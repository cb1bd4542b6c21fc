import Foundation
package import Stack

/// Programs that a benchmark or a soak runs, and what they print.
package enum Commands {
  /// Runs a program to its end and gives the JSON object it printed last.
  package static func json<Report: Decodable>(
    _ type: Report.Type, _ program: String, _ arguments: [String]
  )
    async throws -> Report
  {
    try await json(type, of: start(program, arguments))
  }

  /// Waits for a program's end and gives the JSON object it printed last.
  package static func json<Report: Decodable>(_ type: Report.Type, of process: ServerProcess)
    async throws -> Report
  {
    guard let last = try await jsons(type, of: process).last else {
      throw BenchFailure("\(process.name) has told nothing.")
    }
    return last
  }

  /// Runs a program to its end and gives the JSON objects it printed, a line each.
  package static func jsons<Report: Decodable>(
    _ type: Report.Type, _ program: String, _ arguments: [String]
  ) async throws -> [Report] {
    try await jsons(type, of: start(program, arguments))
  }

  /// Waits for a program's end and gives the JSON objects it printed, a line each.
  package static func jsons<Report: Decodable>(_ type: Report.Type, of process: ServerProcess)
    async throws -> [Report]
  {
    let status = await process.ended()
    guard status == 0 else {
      throw BenchFailure(
        "\(process.name) ended with \(status): \(process.errors)\(process.output)")
    }
    return try process.output.split(separator: "\n").filter { $0.hasPrefix("{") }
      .map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
  }

  package static func run(_ program: String, _ arguments: [String]) async throws {
    let process = try start(program, arguments)
    let status = await process.ended()
    if status != 0 { throw BenchFailure("\(program) ended with \(status): \(process.errors)") }
  }

  package static func start(_ program: String, _ arguments: [String]) throws -> ServerProcess {
    try ServerProcess(
      name: program, executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: [program] + arguments)
  }

  /// A folder of the repository, from where this file lies.
  package static func source(_ path: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(path).path
  }
}

/// Memory of a process, from the kernel's own accounting.
package enum ResidentMemory {
  /// The bytes of it that are in memory and belong to no file.
  package static func bytes(of identifier: Int32) throws -> Double {
    try field("RssAnon", of: identifier)
  }

  /// Has the kernel look for the most that is in memory, files' pages included, from now on; gives
  /// what is there now.
  package static func watch(_ identifier: Int32) throws -> Double {
    let handle = try FileHandle(
      forWritingTo: URL(fileURLWithPath: "/proc/\(identifier)/clear_refs"))
    try handle.write(contentsOf: Data("5".utf8))
    try handle.close()
    return try field("VmRSS", of: identifier)
  }

  /// The most that was there since `watch`.
  package static func peak(of identifier: Int32) throws -> Double {
    try field("VmHWM", of: identifier)
  }

  private static func field(_ name: String, of identifier: Int32) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    guard let line, let kibibytes = Double(line.filter(\.isNumber)) else {
      throw BenchFailure("The kernel does not tell the memory of process \(identifier).")
    }
    return kibibytes * 1024
  }
}

/// Processor time of a process, from the kernel's own accounting.
package enum ProcessorTime {
  package static func seconds(of identifier: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
