import BenchStack
import Foundation
import Stack

extension ScriptedLoad {
  /// Makes the calls, and says what they took of each process.
  func measure(on stack: Stack, seconds: Int, _ what: String) async throws -> FrameLoadReport {
    let processors = try await StackProcessors(stack)
    let began = ContinuousClock.now
    let report = try await run(on: stack, seconds: seconds)
    // From before the sign-ins; the load's own figures are without them and the warm-up.
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    let cores = processors.cores(over: elapsed, load: report.loadCores)
    Progress.say(
      String(
        format: "  %@: %.0f/s, p50 %.0f us, p99 %.0f us, %.0f operations; cores: %@", what,
        report.ops_per_second, report.p50_us, report.p99_us, report.operations, cores))
    return report
  }
}
