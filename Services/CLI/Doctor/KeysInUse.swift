import MusterKit

/// What gateways have told of their keys, games' credentials and operators, which are to be the
/// same at all of them: another one refuses what a gateway makes with a key that it does not know,
/// or goes on taking what was revoked.
struct KeysInUse {
  private var gateways: [(name: String, lines: [String])] = []

  /// - Parameter gateway: the address of the one that was asked.
  mutating func add(_ processes: [ServiceStatus], told gateway: String) {
    for process in processes where process.name == "muster-gateway" && !process.version.isEmpty {
      gateways.append((gateway, process.keys))
    }
  }

  /// Nil where there are not two to be compared.
  var finding: Finding? {
    if gateways.count < 2 { return nil }
    let silent = gateways.filter { $0.lines.isEmpty }.map { $0.name }
    if !silent.isEmpty {
      let who = silent.count == gateways.count ? "any gateway" : silent.joined(separator: ", ")
      return Finding(check: .keys, verdict: .unknown, text: "not told by \(who)")
    }
    let common = gateways.dropFirst().reduce(Set(gateways[0].lines)) { $0.intersection($1.lines) }
    let texts = gateways.map { gateway in
      let own = gateway.lines.filter { !common.contains($0) }
      return "\(gateway.name) has \(own.isEmpty ? "none" : own.joined(separator: ", "))"
    }
    if gateways.allSatisfy({ common.isSuperset(of: $0.lines) }) {
      return Finding(
        check: .keys, verdict: .green, text: "the same at all \(gateways.count) gateways")
    }
    return Finding(
      check: .keys, verdict: .red, text: "not the same: " + texts.joined(separator: "; "),
      advice: .alignKeys)
  }
}
