import MusterKit

/// What is found by comparing all that gateways have told, and not of one process.
struct Comparisons {
  private var builds = BuildsInUse()
  private var keys = KeysInUse()
  private var deviceKeys = DeviceKeys()

  /// - Parameter gateway: the address of the one that was asked.
  mutating func add(_ processes: [ServiceStatus], told gateway: String) {
    builds.add(processes, told: gateway)
    keys.add(processes, told: gateway)
    deviceKeys.add(processes, told: gateway)
  }

  var findings: [Finding] {
    [builds.finding, keys.finding, deviceKeys.finding].compactMap(\.self)
  }
}
