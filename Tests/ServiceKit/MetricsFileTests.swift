import Foundation
import TestKit
import Testing
import Transport

@testable import ServiceKit

@Suite(.endsAtLast) struct MetricsFileTests {
  private static let calls = CounterMetric("calls", help: "Calls.")
  private static let list = MetricList(counters: [calls, .metricsFileFailures])

  /// Waits until the file was written, or was not, so many times.
  private func written(_ path: String, times: Int, milliseconds: UInt64) async -> UInt64 {
    let thread = LoopThread(name: "metrics")
    let failures = await withCheckedContinuation { continuation in
      Task {
        await thread.run { loop in
          let metrics = Metrics(Self.list)
          metrics.counter(Self.calls).add(3)
          let file = MetricsFile(
            MetricsFilePlan(path: path, milliseconds: milliseconds), on: loop,
            log: Log(source: "test", level: .error), labels: ["service": "context"],
            metrics: metrics
          ) { done in done(metrics.values) }
          var left = times
          file.onWritten = {
            left -= 1
            guard left == 0 else { return }
            file.stop()
            file.onWritten = nil
            continuation.resume(returning: metrics.counter(.metricsFileFailures).value)
          }
          loop.keep(file)
          file.start()
        }
      }
    }
    thread.stop()
    await thread.stopped()
    return failures
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-metrics-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test("the file is there from the start, whole, and nothing is left beside it")
  func file() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("context.prom")
      #expect(await written(file.path, times: 1, milliseconds: 60_000) == 0)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains("muster_calls_total{service=\"context\"} 3\n") && text.hasSuffix("\n"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["context.prom"])
    }
  }

  @Test("other users can read the file, whatever the process's mask is")
  func readable() async {
    await #expect(processExitsWith: .success) {
      umask(0o077)
      let path = NSTemporaryDirectory() + "muster-metrics-\(getpid()).prom"
      defer { unsafe unlink(path) }
      try SystemFile.replace(path, with: "all\n", isForAll: true)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      precondition(attributes[.posixPermissions] as? Int == 0o644)
    }
  }

  @Test("a folder that cannot be written is counted, and tried again")
  func noFolder() async throws {
    try await withFolder { folder in
      let path = folder.appendingPathComponent("missing/context.prom").path
      #expect(await written(path, times: 3, milliseconds: 1) >= 3)
    }
  }

  @Test(
    "a full disk leaves the last whole file, and no half one",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func full() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("context.prom")
      try Data("before\n".utf8).write(to: file)
      // What is written first is where a disk has no room.
      let new = file.path + ".new"
      try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: "/dev/full")
      #expect(throws: SystemFault.self) {
        try SystemFile.replace(file.path, with: "after\n", isForAll: true)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == "before\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["context.prom"])
    }
  }
}
