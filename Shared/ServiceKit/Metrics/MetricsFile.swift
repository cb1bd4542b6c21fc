public import Domain
public import Transport

extension NumberSetting {
  public static let metricsInterval = NumberSetting(
    "metrics-seconds", .seconds, default: 15, 1...3600, "How often metrics-file is written.")
}

extension CounterMetric {
  static let metricsFileFailures = CounterMetric(
    "metrics.file_failures", help: "Times that metrics-file was not written when it was due.")
}

/// Where and how often a process writes its metrics for Prometheus.
public struct MetricsFilePlan: Sendable {
  static let setting = Setting(
    "metrics-file",
    "Written every metrics-seconds with all metrics, for the textfile collector of Prometheus's "
      + "node_exporter: its name ends in .prom. None is written unless set.")

  let path: String
  let milliseconds: UInt64

  /// Nil where no file is wanted.
  public init?(_ configuration: Configuration) {
    guard let path = configuration[Self.setting.name], !path.isEmpty else { return nil }
    self.path = path
    milliseconds = UInt64(configuration.numbers[.metricsInterval])
  }

  init(path: String, milliseconds: UInt64) { (self.path, self.milliseconds) = (path, milliseconds) }
}

/// Writes the metrics of a process to a file, again and again. The loop only takes their values: a
/// thread that may block makes the text of them and writes it. A disk that is full, or stuck, costs
/// a warning now and then, and nothing else.
public final class MetricsFile {
  public typealias Collect = (_ done: @escaping (MetricValues) -> Void) -> Void

  /// Between two warnings.
  static let quietMilliseconds: UInt64 = 600_000

  private let plan: MetricsFilePlan
  private let loop: Loop
  private let log: Log
  private let labels: KeyValuePairs<String, String>
  private let collect: Collect
  private var timer: LoopTimer?
  /// Whether the last one is still being collected or written.
  private(set) var isUnderWay = false
  private var warnings = LogPace(quietMilliseconds: MetricsFile.quietMilliseconds)
  private let failures: Metrics.Counter
  /// Called after each writing; for tests.
  var onWritten: (() -> Void)?

  /// - Parameters:
  ///   - metrics: where it is counted what fails.
  ///   - collect: hands over the values of all loops of the process.
  public init(
    _ plan: MetricsFilePlan, on loop: Loop, log: Log, labels: KeyValuePairs<String, String>,
    metrics: Metrics, collect: @escaping Collect
  ) {
    failures = metrics.counter(.metricsFileFailures)
    (self.plan, self.loop, self.log) = (plan, loop, log)
    (self.labels, self.collect) = (labels, collect)
  }

  /// Writes the first one now.
  public func start() {
    timer = loop.every(plan.milliseconds) { [unowned self] in write() }
    write()
  }

  public func stop() {
    timer?.cancel()
    timer = nil
  }

  private func write() {
    guard !isUnderWay else { return warn("the last writing has not ended") }
    isUnderWay = true
    collect { [weak self] values in self?.write(values) }
  }

  private func write(_ values: MetricValues) {
    let path = plan.path
    let pairs = labels
    loop.work {
      let text = PrometheusText.text(values, of: pairs)
      do throws(SystemFault) {
        try SystemFile.replace(path, with: text, isForAll: true)
        return String?.none
      } catch {
        return error.description
      }
    } then: { [weak self] failure in
      guard let self else { return }
      isUnderWay = false
      if let failure { warn(failure) }
      onWritten?()
    }
  }

  private func warn(_ reason: String) {
    failures.add()
    let event = "metrics are not written"
    guard let keptBack = warnings.admit(event, now: loop.monotonicMilliseconds) else { return }
    log.warning(event, ["reason": reason, "kept_back": "\(keptBack)"])
  }
}
