import MusterKit
import Terminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `muster doctor`: whether a deployment is well, and what to do where it is not.
enum DoctorCommand {
  static let command = Command(
    "doctor", "[GATEWAY]...",
    "look at all processes and say what is wrong, and what to do (operator); GATEWAY is the "
      + "HOST:PORT of each gateway, --gateway's unless named. Ends with 1 when something is red"
  ) { session in
    var findings: [Finding] = []
    var comparisons = Comparisons()
    for configuration in try configurations(session) {
      findings += try await examine(configuration, session, &comparisons)
    }
    findings += comparisons.findings
    session.output.show(findings)
    let count = findings.count { $0.verdict == .red }
    if count > 0 { throw Unwell(count: count) }
  }

  /// Everything was told; what is left is how the command ends.
  struct Unwell: Error {
    /// How many findings are red.
    var count: Int
  }

  private static func configurations(_ session: Session) throws(UsageError)
    -> [MusterConfiguration]
  {
    let own = session.settings.configuration
    if session.arguments.words.isEmpty { return [own] }
    var all: [MusterConfiguration] = []
    for word in session.arguments.words {
      guard let address = NetworkAddress(word) else {
        throw UsageError("GATEWAY takes host:port, not \(word).")
      }
      var configuration = own
      (configuration.host, configuration.port) = (address.host, address.port)
      all.append(configuration)
    }
    return all
  }

  private static func examine(
    _ configuration: MusterConfiguration, _ session: Session, _ comparisons: inout Comparisons
  ) async throws -> [Finding] {
    let gateway = "\(configuration.host):\(configuration.port)"
    do {
      let examination = try await session.asOperator(configuration) { client in
        let asked = now
        let reply = try await client.call(DeploymentStatus())
        return Examination(processes: reply.processes, asked: asked, answered: now)
      }
      comparisons.add(examination.processes, told: gateway)
      let reached = Finding(check: .gateway, verdict: .green, process: gateway, text: "answers")
      return [reached] + examination.findings
    } catch let error as MusterError {
      return [UnreachedGateway(error).finding(error, gateway: gateway)]
    }
  }

  /// Milliseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

extension Output {
  /// A line for each finding, and below it what to do; or one JSON document.
  func show(_ findings: [Finding]) {
    if isJSON {
      return show(.object([.init(name: "findings", value: .list(findings.map(\.tree)))]))
    }
    for finding in findings {
      for line in finding.lines(paint) { print(line) }
    }
  }
}

extension Finding {
  private static let verdictWidth = Verdict.allCases.map(\.rawValue.count).max() ?? 0
  private static let checkWidth = Check.allCases.map(\.rawValue.count).max() ?? 0

  func lines(_ paint: Paint) -> [String] {
    let word = verdict.rawValue.padded(Self.verdictWidth)
    let about = process.isEmpty ? "" : "\(process): "
    let line = "\(check.rawValue.padded(Self.checkWidth))  \((about + text).printable)"
    let indent = String(repeating: " ", count: Self.verdictWidth + Self.checkWidth + 4)
    return ["\(paint(verdict.tone, word))  \(line)"]
      + (advice.map { [indent + $0.sentence] } ?? [])
  }

  var tree: Tree {
    .object([
      .init(name: "check", value: .text(check.rawValue)),
      .init(name: "verdict", value: .text(verdict.rawValue)),
      .init(name: "process", value: .text(process)),
      .init(name: "text", value: .text(text)),
      .init(name: "advice", value: .text(advice?.text ?? "")),
      .init(name: "page", value: .text(advice?.place.page ?? "")),
      .init(name: "heading", value: .text(advice?.place.heading ?? "")),
    ])
  }
}

extension Finding.Verdict {
  fileprivate var tone: Paint.Tone {
    switch self {
    case .green: .green
    case .unknown: .dim
    case .yellow: .yellow
    case .red: .red
    }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
