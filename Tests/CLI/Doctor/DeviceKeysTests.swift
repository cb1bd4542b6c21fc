import MusterKit
import Testing

@testable import muster

@Suite struct DeviceKeysTests {
  private func gateway(_ numbers: [Int], isTold: Bool = true) -> ServiceStatus {
    var process = ServiceStatus()
    (process.name, process.partition, process.version) = ("muster-gateway", "1/1", "1.0.0")
    // Of the other purposes, too: their numbers are their own.
    process.keys = numbers.map { "key devices \($0) 0a1b2c3d" } + ["key pairs 1 0a1b2c3d current"]
    if !isTold { process.keys = [] }
    return process
  }

  private func request(_ counts: [Int: UInt64], partition: String = "1/1") -> ServiceStatus {
    var process = ServiceStatus()
    (process.name, process.partition, process.version) = ("muster-request", partition, "1.0.0")
    process.metrics = counts.map { number, count in
      var metric = ServiceStatus.Metric()
      (metric.name, metric.label, metric.value) = ("devices.by_key", "\(number)", count)
      return metric
    }
    return process
  }

  private func finding(_ told: [(String, [ServiceStatus])]) -> Finding? {
    var keys = DeviceKeys()
    for (gateway, processes) in told { keys.add(processes, told: gateway) }
    return keys.finding
  }

  @Test("a key that devices need and the gateway lacks is told, for one device too")
  func missing() {
    let told = finding([("here:1", [gateway([2]), request([1: 2, 2: 5])])])
    #expect(
      told
        == Finding(
          check: .keys, verdict: .yellow,
          text: "the key devices 1 is missing at here:1, and 2 devices are known by it alone",
          advice: .putKeyBack))
    let one = finding([("here:1", [gateway([2]), request([1: 1])])])
    #expect(one?.text.hasSuffix("1 device is known by it alone") == true)
  }

  @Test("what gateways have besides, and a key that no device needs any more, is well")
  func well() {
    #expect(finding([]) == nil)
    #expect(finding([("here:1", [gateway([1, 2]), request([1: 2])])]) == nil)
    #expect(finding([("here:1", [gateway([2]), request([1: 0, 2: 3])])]) == nil)
    #expect(finding([("here:1", [gateway([1]), request([:])])]) == nil)
  }

  @Test("of several gateways each is compared, and devices of all partitions are counted once")
  func several() {
    let services = [request([1: 2, 10: 4], partition: "1/2"), request([1: 3], partition: "2/2")]
    let told = finding([
      ("here:1", [gateway([1, 10])] + services), ("here:2", [gateway([])] + services),
      ("here:3", [gateway([10])] + services),
    ])
    #expect(
      told?.text
        == "the key devices 1 is missing at here:2, here:3, and 5 devices are known by it alone; "
        + "the key devices 10 is missing at here:2, and 4 devices are known by it alone")
  }

  @Test("a gateway of a version that does not tell its keys, or that is away, lacks none")
  func untold() {
    let services = [request([1: 2])]
    #expect(finding([("here:1", [gateway([], isTold: false)] + services)]) == nil)
    var away = gateway([2])
    away.version = ""
    #expect(finding([("here:1", [away] + services)]) == nil)
    let mixed = finding([
      ("here:1", [gateway([], isTold: false)] + services), ("here:2", [gateway([2])] + services),
    ])
    #expect(mixed?.text.contains("missing at here:2,") == true)
  }
}
