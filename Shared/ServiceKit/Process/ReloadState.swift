/// What a process does not use of what its files have, as of the last reload.
public struct ReloadState: Equatable, Sendable {
  /// Files that belong together, by the plural noun that log and manager are told.
  public enum Part: CaseIterable, Sendable {
    case keys, certificates
  }

  /// The parts of which the process goes on with what it had, since a file of them was wrong.
  var refused: Set<Part> = []
  /// Whether a restart would not find the configuration that the process has.
  var hasOtherConfiguration = false
}

extension GaugeMetric {
  static let refusedReload = GaugeMetric(
    "reload.refused", by: MetricLabel("part", casesOf: ReloadState.Part.self),
    help: "1 while the last reload has taken none of these files, since one of them was wrong.")
  static let changedConfiguration = GaugeMetric(
    "reload.configuration_changed",
    help: "1 while the configuration file, as of the last reload, is not that of the start.")
}

extension Metrics {
  /// One of a process's loops tells it.
  public func set(_ reload: ReloadState) {
    for part in ReloadState.Part.allCases {
      gauge(.refusedReload, "\(part)").set(reload.refused.contains(part) ? 1 : 0)
    }
    gauge(.changedConfiguration).set(reload.hasOtherConfiguration ? 1 : 0)
  }
}
