import Domain
import Wire

extension CounterMetric {
  static let lateCalls = CounterMetric(
    "calls.late",
    help: "Calls that were not run, because nobody waited for their answers any more.")
  public static let refusedCalls = CounterMetric(
    "calls.refused", by: MetricLabel("cause", casesOf: BackpressureCause.self),
    help: "Calls that were refused with backpressure, by the bounded queue that was full.")
  static let readFailures = CounterMetric(
    "store.read_failures",
    help: "Reads of the store that failed: a part of its file is damaged, or the disk fails.")
}

extension GaugeMetric {
  static let unreadableStore = GaugeMetric(
    "store.unreadable", help: "1 for an hour after a read of the store has failed.")
}

extension DistributionMetric {
  static let heldTime = DistributionMetric(
    "calls.held_time", .milliseconds,
    help: "How long calls were held until the batch before them was on the disk.")
  static let commitTime = DistributionMetric(
    "commits.time", .microseconds,
    help: "From handing a batch to the disk until the answers that waited for it have left.")
  static let commitSize = DistributionMetric(
    "commits.size", .bytes, help: "Row changes in a batch.")
  static let timerLateness = DistributionMetric(
    "timers.lateness", .milliseconds, help: "How long after their time timers were served.")
}

/// What an `EngineRunner` counts and measures.
package final class RunnerMeasures {
  let late: Metrics.Counter
  let heldTime: Metrics.Distribution
  let commitTime: Metrics.Distribution
  let commitSize: Metrics.Distribution
  let timerLateness: Metrics.Distribution
  let readFailures: Metrics.Counter
  /// Milliseconds of the clock that only goes forward; nil where no read has failed.
  private var readFailedAt: UInt64?
  static let unreadableMilliseconds: UInt64 = 3_600_000
  var busyKeys = BusyKeys()
  private let refused: [BackpressureCause: Metrics.Counter]

  init(_ metrics: Metrics) {
    late = metrics.counter(.lateCalls)
    heldTime = metrics.distribution(.heldTime)
    commitTime = metrics.distribution(.commitTime)
    commitSize = metrics.distribution(.commitSize)
    timerLateness = metrics.distribution(.timerLateness)
    readFailures = metrics.counter(.readFailures)
    refused = Dictionary(
      uniqueKeysWithValues: zip(
        BackpressureCause.allCases, metrics.counters(.refusedCalls, BackpressureCause.self)))
  }

  /// The runner refuses a call itself.
  func refuse(_ cause: BackpressureCause) -> Failure {
    refused[cause]?.add()
    return .backpressure(cause)
  }

  /// A read of the store has failed.
  func readHasFailed(at milliseconds: UInt64) {
    readFailures.add()
    readFailedAt = milliseconds
  }

  /// Whether a read of the store has failed in the last hour.
  func isUnreadable(at milliseconds: UInt64) -> Bool {
    readFailedAt.map { milliseconds - $0 < Self.unreadableMilliseconds } ?? false
  }

  /// A handler has refused a call.
  func count(_ answer: Answer) {
    if case .failure(let failure) = answer, let cause = failure.backpressureCause {
      refused[cause]?.add()
    }
  }

  /// In the order of the causes.
  package var refusedCounts: [UInt64] {
    BackpressureCause.allCases.map { refused[$0]?.value ?? 0 }
  }
}
