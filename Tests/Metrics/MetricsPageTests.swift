import Foundation
import ServiceKit
import Testing
import Wire

@testable import muster_gateway
@testable import muster_request

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

func text(_ path: String) throws -> String {
  try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

@Suite struct MetricsPageTests {
  @Test("the committed page is what the declarations say")
  func page() throws {
    let path = "deploy/metrics.md"
    let wanted = MetricsPage().text
    if ProcessInfo.processInfo.environment["MUSTER_UPDATE_GOLDEN"] == "1" {
      try wanted.write(
        to: root.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
    #expect(
      try text(path) == wanted,
      "If the change is meant: MUSTER_UPDATE_GOLDEN=1 swift test --filter MetricsPageTests")
  }

  @Test("every metric that is declared somewhere is in the list of a process")
  func declared() throws {
    let declaration = #/= (?:Counter|Gauge|Distribution)Metric\(\s*"([a-z._]+)"/#
    var names: Set<String> = []
    for folder in ["Shared", "Services"] {
      let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
        for match in try text("\(folder)/\(file)").matches(of: declaration) {
          names.insert(String(match.1))
        }
      }
    }
    #expect(names == Set(MetricsPage.all.map(\.name)) && names.count > 60)
  }

  @Test("a name has one meaning in all processes, as one collector reads the files of all")
  func oneMeaning() {
    var known: [String: MetricDeclaration] = [:]
    for metric in MetricsPage.groups.flatMap(\.list.declarations) {
      let other = known.updateValue(metric, forKey: metric.exportedName)
      #expect(other == nil || other == metric, "\(metric.name)")
    }
    let own: Set = ["service", "partition", "quantile"]
    for label in MetricsPage.all.flatMap(\.labels) { #expect(!own.contains(label.name)) }
  }

  @Test(
    "rules and dashboard use metrics that there are",
    arguments: ["deploy/monitoring/alerts.yml", "deploy/monitoring/dashboard.json"])
  func monitoring(path: String) throws {
    let used = try text(path).matches(of: /\bmuster_[a-z_0-9]+/).map { String($0.output) }
    #expect(used.count >= 20)
    for name in Set(used) {
      #expect(MetricsPage.seriesNames.contains(name), "\(path) uses \(name)")
    }
  }

  @Test(
    "the pages name metrics that there are",
    arguments: ["deploy/README.md", "deploy/incidents.md"])
  func pages(path: String) throws {
    let names = Set(MetricsPage.all.map(\.name))
    let subjects = Set(names.map { $0.prefix { $0 != "." } })
    let codes = try text(path).matches(of: /`(([a-z_]+)\.[a-z_.]+)(?: [A-Za-z-]+)?`/)
      .filter { subjects.contains($0.2) }
    #expect(codes.count >= 10)
    for code in codes { #expect(names.contains(String(code.1)), "\(path) names \(code.0)") }
  }

  @Test("the doctor judges metrics that there are, and for each there is a rule")
  func doctor() throws {
    let known = Dictionary(uniqueKeysWithValues: MetricsPage.all.map { ($0.name, $0.exportedName) })
    let rules = try text("deploy/monitoring/alerts.yml")
    let folder = "Services/CLI/Doctor"
    let files = try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent(folder).path)
    let asked = try files.flatMap { file in
      try text("\(folder)/\(file)").matches(of: /(?:value|least|raised)\("([a-z._]+)"\)/)
        .map { String($0.1) }
    }
    #expect(Set(asked).count > 10)
    for name in Set(asked) {
      let exported = try #require(known[name], "the doctor asks for \(name)")
      // How many effects are open is judged by the age of the oldest.
      let hasRule = name == "effects.open" || rules.contains(exported)
      #expect(hasRule, "\(exported) has no rule")
    }
  }

  @Test("lines of the log that incidents and rules name are written somewhere")
  func logLines() throws {
    var sources = ""
    for folder in ["Shared", "Services"] {
      let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
        sources += try text("\(folder)/\(file)")
      }
    }
    let incidents = try text("deploy/incidents.md").split(separator: "\n")
      .filter { $0.hasPrefix("| log of ") }
    // Others in code letters are settings and names.
    let rules = try text("deploy/monitoring/alerts.yml").split(separator: "\n")
      .filter { $0.contains("log") && !$0.contains(" = ") }
    let lines = (incidents + rules).flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
    #expect(incidents.count >= 10 && lines.count >= 15)
    for line in Set(lines) {
      let isWritten = sources.contains(line)
      #expect(isWritten, "nothing writes \(line)")
    }
  }

  @Test("the codes of failures are the same values everywhere, those of newer versions too")
  func failureCodes() {
    let labels = MetricsPage.all.flatMap(\.labels).filter { $0.name == "code" }
    #expect(labels.count == 2 && Set(labels) == [.failureCode])
    for code in UInt8.min...UInt8.max {
      let value = MetricLabel.value(of: FailureCode(rawValue: code))
      #expect(MetricLabel.failureCode.values?.contains(value) == true)
      #expect((value == "unknown") == (code >= FailureCode.names.count))
    }
  }

  @Test("the dashboard is JSON whose panels ask something, and each alert says what to do")
  func forms() throws {
    let dashboard = try JSONSerialization.jsonObject(
      with: Data(text("deploy/monitoring/dashboard.json").utf8))
    let object = try #require(dashboard as? [String: Any])
    let panels = try #require(object["panels"] as? [[String: Any]])
    #expect(panels.count >= 12)
    for panel in panels where panel["type"] as? String != "row" {
      #expect(!((panel["targets"] as? [[String: Any]]) ?? []).isEmpty, "\(panel["title"] ?? "")")
    }
    let alerts = try text("deploy/monitoring/alerts.yml").components(separatedBy: "- alert: ")
    #expect(alerts.count > 12)
    for alert in alerts.dropFirst() {
      for part in ["expr:", "for:", "severity:", "summary:", "description:"] {
        #expect(alert.contains(part), "\(alert.prefix(40)): \(part)")
      }
    }
  }
}
