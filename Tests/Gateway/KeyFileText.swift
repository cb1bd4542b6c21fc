import GatewayCore

extension KeyFile {
  /// A whole file with these lines: where they have a key, each purpose that has none gets that of
  /// the deployment's secret.
  static func text(_ lines: String) -> String {
    let missing = KeyPurpose.allCases.filter { !lines.contains("key \($0.rawValue) ") }
    let rest = missing.map { "key \($0.rawValue) 1 auth-secret current" }
    let isWithout = missing.count == KeyPurpose.allCases.count
    return ([lines] + (isWithout ? [] : rest) + ["end"]).joined(separator: "\n")
  }
}
