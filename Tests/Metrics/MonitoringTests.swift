import ServiceKit
import Testing
import Wire

/// What rules and dashboard ask of metrics beyond their names.
@Suite struct MonitoringTests {
  private static let files = ["deploy/monitoring/alerts.yml", "deploy/monitoring/dashboard.json"]

  private struct Matcher {
    var series: String
    var label: String
    var values: [String]
  }

  /// What a file asks of labels, as in `muster_calls_total{service="gateway"}`.
  private static func matchers(_ path: String) throws -> [Matcher] {
    let plain = try text(path).replacing("\\\"", with: "\"")
    return plain.matches(of: /(muster_[a-z_0-9]+)\{([^}]*)\}/).flatMap { series in
      series.2.matches(of: /([a-z]+)(?:=|!=|=~|!~)"([^"]*)"/).map { pair in
        Matcher(
          series: String(series.1), label: String(pair.1),
          values: pair.2.split(separator: "|").map(String.init))
      }
    }
  }

  /// The values that a label may have; nil where the metric has no such label.
  private static func values(of label: String, in series: String) -> [String]? {
    guard let metric = MetricsPage.all.first(where: { $0.exportedName == series }) else {
      return nil
    }
    switch label {
    case "service": return Service.allCases.map(\.name)
    case "quantile": return metric.kind == .distribution ? ["0.5", "0.99", "1"] : nil
    default: return metric.labels.first { $0.name == label }.map { $0.values ?? [] }
    }
  }

  @Test("what is asked of a label is a value that the metric's label has", arguments: files)
  func labels(path: String) throws {
    let matchers = try Self.matchers(path)
    #expect(matchers.count >= 5)
    for matcher in matchers {
      let known = try #require(
        Self.values(of: matcher.label, in: matcher.series), "\(path): \(matcher)")
      #expect(!matcher.values.isEmpty && Set(known).isSuperset(of: matcher.values), "\(matcher)")
    }
  }

  @Test("how long calls take, for clients and at services, is watched", arguments: files)
  func callTimes(path: String) throws {
    let matchers = try Self.matchers(path)
    for name in ["calls.client_time", "calls.service_time"] {
      let metric = try #require(MetricsPage.all.first { $0.name == name })
      let isWatched = matchers.contains {
        $0.series == metric.exportedName && $0.values == ["0.99"]
      }
      #expect(isWatched, "\(path): \(name)")
    }
  }
}
