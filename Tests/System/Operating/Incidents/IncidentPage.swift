import Foundation
import Stack
import Testing

/// A section of `deploy/incidents.md`: what its table says word for word, so that the page and the
/// programs cannot come apart.
struct IncidentPage {
  struct Missing: Error { let what: String }

  /// The first cell of a row, and the texts in code letters beside it.
  private var rows: [(place: String, texts: [String])] = []

  init(_ heading: String) throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("deploy/incidents.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let sections = text.components(separatedBy: "\n## ")
    guard let section = sections.first(where: { $0.hasPrefix("\(heading)\n") }) else {
      throw Missing(what: heading)
    }
    for line in section.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2 else { continue }
      let parts = cells[1].components(separatedBy: "`")
      let texts = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
      if !texts.isEmpty { rows.append((cells[0], texts)) }
    }
  }

  /// The texts of all rows of a place, such as `log of the gateway`. There is one at least.
  func texts(_ place: String) throws -> [String] {
    let texts = rows.filter { $0.place == place }.flatMap(\.texts)
    if texts.isEmpty { throw Missing(what: place) }
    return texts
  }

  /// The lines of the log are there, whether the process has written them or is about to.
  func expectLog(_ place: String, of process: ServerProcess) async throws {
    for text in try texts("log of the \(place)") {
      #expect(await process.logged(text), "\(text) is not in: \(process.errors.suffix(2_000))")
    }
  }

  /// The metrics become other ones than they were before.
  func expectMetrics(
    _ place: String, in stack: Stack, since before: DeploymentMetrics
  ) async throws {
    for name in try texts("metric of the \(place)") {
      let began = ContinuousClock.now
      var now = try await DeploymentMetrics(of: stack)
      // What is asked may be a moment behind what the log has said.
      while now[name] == before[name], ContinuousClock.now - began < .seconds(20) {
        now = try await DeploymentMetrics(of: stack)
      }
      let change = "\(name) is \(now[name] ?? 0) and was \(before[name] ?? 0)"
      #expect(now[name] != nil && now[name] != before[name] ?? 0, "\(change)")
    }
  }

  /// The doctor says it. Returns what else the doctor has said.
  @discardableResult
  func expectDoctor(_ verdict: String, _ place: String = "doctor", in stack: Stack) async throws
    -> String
  {
    let doctor = try Tools.muster(stack, ["doctor"])
    #expect(await doctor.ended() == (verdict == "red" ? 1 : 0), "\(doctor.output)")
    for text in try texts(place) {
      let line = doctor.output.split(separator: "\n").first { $0.contains(text) }
      #expect(line?.hasPrefix(verdict) == true, "\(text): \(doctor.output)\(doctor.errors)")
    }
    return doctor.output
  }
}

/// The metrics of all processes of a deployment: those of one name added up, and of one name and
/// label, as in `connections.closed slowReader`.
struct DeploymentMetrics {
  private var values: [String: UInt64] = [:]

  init(of stack: Stack) async throws {
    let status = try Tools.muster(stack, ["status", "--json"])
    let code = await status.ended()
    // Some of them may be away: it is an incident.
    #expect(code == 0 || code == 69, "\(status.errors)")
    let reply = try JSONDecoder().decode(Reply.self, from: Data(status.output.utf8))
    for metric in reply.processes.flatMap(\.metrics) {
      values[metric.name, default: 0] += metric.value
      if let label = metric.label, !label.isEmpty {
        values["\(metric.name) \(label)", default: 0] += metric.value
      }
    }
  }

  subscript(_ name: String) -> UInt64? { values[name] }

  private struct Reply: Decodable {
    var processes: [Process]
  }
  private struct Process: Decodable {
    var metrics: [Metric]
  }
  private struct Metric: Decodable {
    var name: String
    var value: UInt64
    var label: String?
  }
}
