import MusterKit

/// The keys that the credentials of devices are hashed with, as the request service counts them,
/// beside those that gateways have: a device is unknown to a gateway that lacks its key, and its
/// player to everybody.
struct DeviceKeys {
  /// Of each gateway that tells its keys, the numbers of those of devices.
  private var gateways: [(name: String, numbers: Set<String>)] = []
  /// By the number of a key, how many devices each process of the request service has with it.
  private var counts: [String: [String: UInt64]] = [:]

  /// - Parameter gateway: the address of the one that was asked.
  mutating func add(_ processes: [ServiceStatus], told gateway: String) {
    for process in processes where !process.version.isEmpty {
      if process.name == "muster-gateway", !process.keys.isEmpty {
        gateways.append((gateway, Self.numbers(in: process.keys)))
      }
      for metric in process.metrics where metric.name == "devices.by_key" {
        counts[metric.label, default: [:]][process.partition] = metric.value
      }
    }
  }

  /// From lines such as `key devices 2 1f0c99e3 current`.
  private static func numbers(in lines: [String]) -> Set<String> {
    Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        return words.count > 2 && words[..<2] == ["key", "devices"] ? String(words[2]) : nil
      })
  }

  /// Nil where each gateway that tells its keys has all that devices need. It is no reason to get
  /// up: nobody can tell a key that was given up on purpose from one that was forgotten.
  var finding: Finding? {
    let needed = counts.mapValues { $0.values.reduce(0, &+) }.filter { $0.value > 0 }
    let texts = needed.sorted { (UInt64($0.key) ?? 0) < (UInt64($1.key) ?? 0) }
      .compactMap { text($0.key, $0.value) }
    if texts.isEmpty { return nil }
    return Finding(
      check: .keys, verdict: .yellow, text: texts.joined(separator: "; "), advice: .putKeyBack)
  }

  private func text(_ number: String, _ count: UInt64) -> String? {
    let lacking = gateways.filter { !$0.numbers.contains(number) }.map { $0.name }
    if lacking.isEmpty { return nil }
    let devices = count == 1 ? "1 device is" : "\(count) devices are"
    return "the key devices \(number) is missing at \(lacking.joined(separator: ", ")), and "
      + "\(devices) known by it alone"
  }
}
