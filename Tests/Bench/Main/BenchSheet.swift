import BenchStack

/// What a run has measured, and what it is to be. Each figure is written down as soon as it is
/// there, so that nothing that fails later costs it.
final class BenchSheet {
  /// A goal is set by what the project promises; a bound is our own, so that a figure that grows is
  /// seen.
  enum Standard: String { case goal, bound }

  private let path: String
  private var cases: [BenchCase] = []
  private var judgements: [String] = []
  /// Parts that have failed, and bounds that were broken.
  private(set) var failures: [String] = []

  init(path: String) { self.path = path }

  func add(_ measured: BenchCase...) throws { try add(measured) }

  func add(_ measured: [BenchCase]) throws {
    cases += measured
    try BenchCase.append(measured, to: path)
  }

  /// Measures a part; when it fails the others are measured all the same.
  func part(_ name: String, _ measure: () async throws -> Void) async {
    do {
      try await measure()
    } catch {
      fail(name, error)
    }
  }

  func fail(_ name: String, _ error: any Error) {
    failures.append("\(name): \(error)")
    Progress.say("  \(name) has failed: \(error)")
  }

  /// Says whether a figure is what it is to be. A figure of which nothing was measured is not.
  func judge(
    _ standard: Standard, _ name: String, _ value: Double, _ limit: Double, isAtLeast: Bool
  ) {
    let isMet = Self.isMet(value, limit, isAtLeast: isAtLeast)
    let text =
      "\(standard): \(name) \(isAtLeast ? "at least" : "at most") \(BenchCase.figure(limit)): "
      + "\(BenchCase.figure(value)), \(isMet ? "met" : "MISSED")"
    Progress.say("  " + text)
    judgements.append(text)
    if standard == .bound && !isMet { failures.append(text) }
  }

  static func isMet(_ value: Double, _ limit: Double, isAtLeast: Bool) -> Bool {
    guard value.isFinite, value > 0 else { return false }
    return isAtLeast ? value >= limit : value <= limit
  }

  var text: String {
    ([BenchCase.table(cases)] + judgements + failures.map { "FAILED: \($0)" })
      .joined(separator: "\n")
  }
}
