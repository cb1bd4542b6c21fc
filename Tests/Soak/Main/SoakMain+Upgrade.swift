import KillRounds
import Stack
import UpgradeRounds

extension SoakMain {
  /// Load on a real deployment of another build, whose processes are replaced by this one's, in
  /// both orders, and back.
  @Sendable static func upgrade(_ plan: SoakPlan) async throws -> Bool {
    guard let older = plan.older else {
      tell("  skipped: --older names no programs")
      return true
    }
    do {
      var options = UpgradeOptions(from: try await Programs.read(older))
      options.seed = plan.options.seed
      let report = try await UpgradeSoak.run(options, tell)
      for violation in report.violations.prefix(20) { tell("  violation: \(violation)") }
      tell(
        "  \(report.replaced) processes replaced, \(report.counts), \(report.moves) moves, "
          + "\(report.tours) tours; the longest call took \(report.longestCall); were one score "
          + "lost, \(report.canaries) violations; \(report.violations.count) violations")
      return report.isRight
    } catch {
      tell("  failed: \(error)")
      return false
    }
  }
}
