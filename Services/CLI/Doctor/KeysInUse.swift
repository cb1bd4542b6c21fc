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

  /// Nil where there are not two to be compared. One that tells nothing hides no difference between
  /// the others.
  var finding: Finding? {
    if gateways.count < 2 { return nil }
    let silent = gateways.filter { $0.lines.isEmpty }.map { $0.name }
    let untold = Finding.untold(by: silent, of: gateways.count, all: "any gateway")
    if let differences = Self.differences(gateways.filter { !$0.lines.isEmpty }) {
      let texts = ["not the same: \(differences)", untold].compactMap(\.self)
      return Finding(
        check: .keys, verdict: .red, text: texts.joined(separator: "; "), advice: .alignKeys)
    }
    if let untold { return Finding(check: .keys, verdict: .unknown, text: untold) }
    return Finding(
      check: .keys, verdict: .green, text: "the same at all \(gateways.count) gateways")
  }

  /// What each has that not all of them have, and who has none of it; nil where they have the same.
  private static func differences(_ gateways: [(name: String, lines: [String])]) -> String? {
    let sets = gateways.map { Set($0.lines) }
    guard let first = sets.first else { return nil }
    let common = sets.dropFirst().reduce(first) { $0.intersection($1) }
    if sets.allSatisfy({ $0 == common }) { return nil }
    var (having, lacking): ([String], [String]) = ([], [])
    for gateway in gateways {
      let own = gateway.lines.filter { !common.contains($0) }
      if own.isEmpty {
        lacking.append("\(gateway.name) has none of these")
      } else {
        having.append("\(gateway.name) has \(own.joined(separator: ", "))")
      }
    }
    return (having + lacking).joined(separator: "; ")
  }
}
