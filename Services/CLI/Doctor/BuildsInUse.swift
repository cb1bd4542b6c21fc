import MusterKit

/// The builds that processes have told, through whichever gateways: gateways are compared with each
/// other, too.
struct BuildsInUse {
  /// Of each program, the builds, and where each of them runs.
  private var places: [String: [String: Set<String>]] = [:]

  /// - Parameter gateway: the address of the one that was asked.
  mutating func add(_ processes: [ServiceStatus], told gateway: String) {
    for process in processes where !process.version.isEmpty {
      let place = process.name == "muster-gateway" ? gateway : process.partition
      places[process.name, default: [:]][process.build, default: []].insert(place)
    }
  }

  /// Nil where nobody has answered. Two builds are no reason to get up: so it is while processes
  /// are replaced one after the other.
  var finding: Finding? {
    let all = places.sorted { $0.key < $1.key }
    if all.isEmpty { return nil }
    let mixed = all.filter { $0.value.count > 1 }
    if !mixed.isEmpty {
      let texts = mixed.map { program, builds in "\(program): \(Self.text(builds))" }
      return Finding(
        check: .builds, verdict: .yellow, text: texts.joined(separator: "; "), advice: .install)
    }
    let silent = all.filter { $0.value[""] != nil }.map(\.key)
    if let untold = Finding.untold(by: silent, of: all.count, all: "any process") {
      return Finding(check: .builds, verdict: .unknown, text: untold)
    }
    let texts = all.flatMap { program, builds in builds.keys.map { "\(program) \($0)" } }
    return Finding(check: .builds, verdict: .green, text: texts.joined(separator: ", "))
  }

  private static func text(_ builds: [String: Set<String>]) -> String {
    builds.sorted { $0.key < $1.key }.map { build, places in
      "\(build.isEmpty ? "an untold one" : build) of \(places.sorted().joined(separator: ", "))"
    }.joined(separator: " and ")
  }
}
