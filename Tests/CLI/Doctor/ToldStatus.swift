import MusterKit

@testable import muster

extension ServiceStatus {
  /// What a process tells of itself; one without a version does not answer.
  static func told(
    _ name: String, build: String = "", keys: [String] = [], partition: String = "1/1",
    version: String = "1.0.0"
  ) -> Self {
    var process = Self()
    (process.name, process.partition) = ("muster-\(name)", partition)
    (process.version, process.build, process.keys) = (version, build, keys)
    return process
  }
}

/// What compares processes by what they tell.
protocol Comparison {
  init()
  mutating func add(_ processes: [ServiceStatus], told gateway: String)
  var finding: Finding? { get }
}

extension BuildsInUse: Comparison {}
extension KeysInUse: Comparison {}

extension Comparison {
  /// What is found where each of these gateways tells so of processes.
  static func finding(_ told: [(String, [ServiceStatus])]) -> Finding? {
    var comparison = Self()
    for (gateway, processes) in told { comparison.add(processes, told: gateway) }
    return comparison.finding
  }
}
