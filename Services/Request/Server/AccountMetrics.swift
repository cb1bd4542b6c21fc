import ServiceKit

extension GaugeMetric {
  static let devicesByKey = GaugeMetric(
    "devices.by_key", by: MetricLabel("key", nil),
    help: "Devices whose credentials are hashed with the gateways' key of a number.")
}

extension MetricList {
  static let accounts = MetricList(gauges: [.devicesByKey])
}
