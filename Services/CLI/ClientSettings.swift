import MusterKit
import Spelling
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the gateway is, and who calls it. Flags come before `MUSTER_*` variables, and these before
/// the file of the stack, which `make run` writes.
struct ClientSettings: Sendable {
  var configuration: MusterConfiguration
  var player: String
  var playersDirectory: URL
  private var operatorSecretVariable: String?
  private var operatorSecretFile: String?

  static let help =
    "What neither an option nor its variable says is read from the file that MUSTER_CLIENT names, "
    + "which is .muster/client.conf unless it is set."

  init(_ arguments: Arguments) throws(UsageError) {
    let environment = ProcessInfo.processInfo.environment
    let file = try Self.file(environment["MUSTER_CLIENT"])
    func value(_ flag: String, _ variable: String) -> String? {
      arguments[flag] ?? environment[variable] ?? file[flag]
    }
    let gateway = value("gateway", "MUSTER_GATEWAY") ?? "127.0.0.1:7400"
    guard let address = NetworkAddress(gateway) else {
      throw UsageError("--gateway takes host:port, not \(gateway).")
    }
    let authority = value("authority", "MUSTER_AUTHORITY")
    var seconds = 10.0
    if let deadline = arguments["deadline"] {
      guard let number = Double(deadline), number > 0, number <= 3600 else {
        throw UsageError("--deadline takes seconds, at most 3600, not \(deadline).")
      }
      seconds = number
    }
    configuration = MusterConfiguration(
      host: address.host, port: address.port, game: value("game", "MUSTER_GAME") ?? "demo",
      trust: authority.map { .authority($0) } ?? .system,
      serverName: value("server-name", "MUSTER_SERVER_NAME"),
      callDeadline: .milliseconds(Int(seconds * 1000)))
    player = value("as", "MUSTER_AS") ?? "player"
    playersDirectory = URL(
      fileURLWithPath: value("players", "MUSTER_PLAYERS") ?? ".muster/players")
    operatorSecretVariable = environment["MUSTER_OPERATOR_SECRET"]
    operatorSecretFile = file["operator-secret-file"]
  }

  private static func file(_ path: String?) throws(UsageError) -> [String: String] {
    let place = path ?? ".muster/client.conf"
    guard let text = try? String(contentsOfFile: place, encoding: .utf8) else {
      if let path { throw UsageError.missing("MUSTER_CLIENT: \(path) cannot be read.") }
      return [:]
    }
    var values: [String: String] = [:]
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if line.trimmed.isEmpty || line.trimmed.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else {
        throw UsageError.missing("\(place), line \(number + 1): `name = value` is expected.")
      }
      let name = line[..<equals].trimmed
      guard fileNames.contains(name) else {
        let meant = Nearest.to(name, amongOrBeginning: fileNames)
        throw UsageError.missing(
          "\(place) has an unknown setting: \(name)."
            + (meant.map { " Did you mean \($0)?" } ?? ""))
      }
      values[name] = line[line.index(after: equals)...].trimmed
    }
    return values
  }

  private static let fileNames = [
    "gateway", "authority", "game", "server-name", "as", "players", "operator-secret-file",
  ]

  /// Returns the secret of the deployment's operator; nil when nothing says where it is. The secret
  /// itself is never on a command line, and a player's commands do without its file.
  func operatorSecret() throws(UsageError) -> String? {
    if let operatorSecretVariable { return operatorSecretVariable }
    guard let path = operatorSecretFile else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw UsageError.missing("operator-secret-file: \(path) cannot be read.")
    }
    return text.trimmed
  }
}
