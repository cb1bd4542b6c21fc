/// What a service's process does besides answering calls, such as calling servers of others. It
/// lives on the loop, from the start of the process to its end.
package protocol ServiceCompanion: AnyObject {
  /// The process serves from now on. The node lives as long as the companion does.
  func start(on node: ServiceNode)
  /// The process is about to end: begin nothing more.
  func stop()
}

/// How a process gets its companion, and what it measures besides what every service does.
package struct CompanionPlan<Core>: Sendable {
  package typealias Maker = @Sendable (Core) -> any ServiceCompanion

  /// The settings that the process has for it.
  package var settings: [Setting]
  package var metrics: MetricList
  /// Takes over what the core counts, whenever the process measures itself.
  package var measure: @Sendable (Core, Metrics) -> Void = { _, _ in }
  /// Reads them, and returns what makes the companion once there is a core, before its rows come;
  /// nil when none is wanted. What it throws ends the process before it opens its store.
  package var make: @Sendable (Configuration) throws -> Maker?

  package init(
    settings: [Setting] = [], metrics: MetricList = MetricList(),
    make: @escaping @Sendable (Configuration) throws -> Maker? = { _ in nil }
  ) {
    (self.settings, self.metrics, self.make) = (settings, metrics, make)
  }
}
