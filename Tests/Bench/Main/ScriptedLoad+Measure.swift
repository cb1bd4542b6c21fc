import BenchStack
import Foundation
import Stack

extension ScriptedLoad {
  /// Makes the calls, and says what they took of each process.
  func measure(on stack: Stack, seconds: Int, _ what: String) async throws -> FrameLoadReport {
    var processes: [(name: String, id: Int32)] = []
    for name in stack.names { processes.append((name, try await stack.process(name).identifier)) }
    let before = processes.map { ProcessorTime.seconds(of: $0.id) }
    let began = ContinuousClock.now
    let report = try await run(on: stack, seconds: seconds)
    // From before the sign-ins; the load's own figures are without them and the warm-up.
    let duration = ContinuousClock.now - began
    let elapsed =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    var used = zip(processes, before).map { process, began in
      (process.name, (ProcessorTime.seconds(of: process.id) - began) / elapsed)
    }
    used.append(("load", report.loadCores))
    let cores = used.map { String(format: "%@ %.2f", $0.0, $0.1) }.joined(separator: ", ")
    Progress.say(
      String(
        format: "  %@: %.0f/s, p50 %.0f us, p99 %.0f us, %.0f operations; cores: %@", what,
        report.ops_per_second, report.p50_us, report.p99_us, report.operations, cores))
    return report
  }
}
