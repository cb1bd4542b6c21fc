import ServiceKit

@testable import muster_gateway
@testable import muster_request

/// `deploy/metrics.md`: every metric of every process.
struct MetricsPage {
  struct Group {
    var title: String
    var list: MetricList
  }

  /// What each process has besides those of every process.
  static let groups = [
    Group(title: "Every process", list: .process),
    Group(title: "The gateway", list: .gateway.without(.process)),
    Group(title: "Every service", list: .service.without(.process)),
    Group(title: "The request service", list: .accounts),
    Group(title: "The request service, for its push hook", list: .push),
  ]

  /// Each one once: some are in two groups.
  static var all: [MetricDeclaration] {
    var seen: Set<String> = []
    return groups.flatMap(\.list.declarations).filter { seen.insert($0.name).inserted }
  }

  /// The names of all series that a file for Prometheus may have.
  static var seriesNames: Set<String> {
    Set(
      all.flatMap { metric in
        metric.kind == .distribution
          ? ["", "_sum", "_count"].map { metric.exportedName + $0 } : [metric.exportedName]
      })
  }

  var text: String {
    var lines = [
      "# Metrics",
      "",
      "`muster status` shows them with the short names, as a table or as JSON (`--json`). With",
      "`metrics-file` a process writes them every `metrics-seconds` for Prometheus, with the long",
      "names and in base units; each series then has the labels `service` and `partition` besides.",
      "",
      "A counter grows until the process ends. A gauge says what is. A distribution is told over",
      "the last minute and the last hour: how many there were, the median, the 99th percentile,",
      "each at most an eighth too high, and the greatest. For Prometheus it is a summary of the last",
      "minute, whose quantile 1 is the greatest, with the sum and the count since the start.",
      "",
      "Written by `MUSTER_UPDATE_GOLDEN=1 swift test --filter MetricsPageTests`.",
    ]
    for group in Self.groups {
      lines += ["", "## \(group.title)", ""]
      lines += [
        "| metric | kind, unit | by | for Prometheus | |", "| --- | --- | --- | --- | --- |",
      ]
      for metric in group.list.declarations {
        let unit = metric.unit == .count ? "" : ", \(metric.unit.rawValue)"
        let labels = metric.labels.map { "`\($0.name)`" }.joined(separator: ", ")
        lines.append(
          "| `\(metric.name)` | \(metric.kind.rawValue)\(unit) | \(labels) "
            + "| `\(metric.exportedName)` | \(metric.help) |")
      }
    }
    lines += ["", "## What they are told apart by", ""]
    var labels: [MetricLabel] = []
    for label in Self.all.flatMap(\.labels) where !labels.contains(label) { labels.append(label) }
    for label in labels {
      let users = Self.all.filter { $0.labels.contains(label) }.map { "`\($0.name)`" }
      let values = label.values.map { $0.map { "`\($0)`" }.joined(separator: ", ") }
      lines.append(
        "- `\(label.name)` of \(users.joined(separator: ", ")): \(values ?? "those that there are")."
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MetricList {
  fileprivate func without(_ other: MetricList) -> MetricList {
    removing(Set(other.declarations.map(\.name)))
  }
}
