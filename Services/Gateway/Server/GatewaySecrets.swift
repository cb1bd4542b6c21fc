import GatewayCore
import ServiceKit
import Transport

/// What gateways derive credentials from, and their operators with a name: what the settings say,
/// and the file that `keys-file` names.
struct GatewaySecrets: Sendable {
  let keyring: Keyring
  /// The SHA-256 of each operator's secret.
  let operators: [String: [UInt8]]
  /// The file; nil where there is none.
  let path: String?
  private let authSecret: [UInt8]?

  init(_ configuration: Configuration) throws(ConfigurationError) {
    func value(_ name: String) -> String? { configuration[name].flatMap { $0.isEmpty ? nil : $0 } }
    let path = value("keys-file")
    let secret = try path == nil ? configuration.required("auth-secret") : value("auth-secret")
    try self.init(path: path, authSecret: secret.map { Array($0.utf8) })
  }

  private init(path: String?, authSecret: [UInt8]?) throws(ConfigurationError) {
    (self.path, self.authSecret) = (path, authSecret)
    let text = try path.map { path throws(ConfigurationError) in
      try SystemFile.secretText(of: path, setting: "keys-file")
    }
    do throws(KeyFile.Fault) {
      let file = if let text { try KeyFile(text) } else { KeyFile() }
      keyring = try file.keyring(secret: authSecret) { Crypto.hmacSHA256(key: $0, data: $1) }
      operators = file.operators
    } catch {
      throw ConfigurationError("--keys-file, \(path ?? ""): \(error)")
    }
  }

  /// What the file says now.
  func readAnew() throws(ConfigurationError) -> GatewaySecrets {
    try GatewaySecrets(path: path, authSecret: authSecret)
  }

  /// Says which keys of the file are in use, by their numbers, and who the operators are.
  func tell(_ log: Log) {
    guard path != nil else { return }
    log.info("keys in use", words)
  }

  private var words: KeyValuePairs<String, String> {
    [
      "keys": keyring.summary, "games": keyring.generationSummary,
      "operators": operators.keys.sorted().joined(separator: ", "),
    ]
  }

  /// The same words as in the log, for a check of the file.
  var summary: String {
    words.map { "\($0.key) \($0.value.isEmpty ? "none" : $0.value)" }.joined(separator: "; ")
  }
}
