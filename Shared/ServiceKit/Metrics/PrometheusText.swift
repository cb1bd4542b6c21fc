/// The text format of Prometheus, version 0.0.4, as the textfile collector of node_exporter reads
/// it.
///
/// A distribution is a summary: its quantiles are of the last minute, the greatest number at 1, and
/// its count and sum are since the start of the process.
package enum PrometheusText {
  /// - Parameter process: the labels that all series have, such as the service.
  package static func text(
    _ values: MetricValues, of process: KeyValuePairs<String, String>
  ) -> String {
    var text = ""
    var last = ""
    for (declaration, labels, value) in values.list {
      let name = declaration.exportedName
      if name != last {
        text += "# HELP \(name) \(escaped(declaration.help))\n# TYPE \(name) \(type(declaration))\n"
      }
      last = name
      let pairs =
        process.map { ($0.key, $0.value) } + zip(declaration.labels.map(\.name), labels)
      switch value {
      case .number(let number):
        text += line(name, pairs, scaled(number, declaration.unit))
      case .distribution(let values):
        for (share, key) in [(0.5, "0.5"), (0.99, "0.99"), (1, "1")] {
          let isEmpty = values.minute.count == 0
          let quantile = scaled(values.minute.quantile(share), declaration.unit)
          text += line(name, pairs + [("quantile", key)], isEmpty ? "NaN" : quantile)
        }
        text += line("\(name)_sum", pairs, scaled(values.sum, declaration.unit))
        text += line("\(name)_count", pairs, "\(values.count)")
      }
    }
    return text
  }

  private static func type(_ declaration: MetricDeclaration) -> String {
    switch declaration.kind {
    case .counter: "counter"
    case .gauge: "gauge"
    case .distribution: "summary"
    }
  }

  private static func line(_ name: String, _ labels: [(String, String)], _ value: String)
    -> String
  {
    let pairs = labels.map { "\($0)=\"\(escaped($1, isQuoted: true))\"" }
    return "\(name){\(pairs.joined(separator: ","))} \(value)\n"
  }

  private static func scaled(_ number: UInt64, _ unit: MetricUnit) -> String {
    unit.perBaseUnit == 1 ? "\(number)" : "\(Double(number) / unit.perBaseUnit)"
  }

  private static func escaped(_ text: String, isQuoted: Bool = false) -> String {
    let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return isQuoted ? text.replacing("\"", with: "\\\"") : text
  }
}
