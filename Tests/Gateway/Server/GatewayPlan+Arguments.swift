import ServiceKit

@testable import muster_gateway

extension GatewayPlan {
  /// The configuration of a gateway of one loop, beside which nothing is set but this.
  static func configuration(_ arguments: [String] = []) throws -> Configuration {
    let own = [
      "--listen", "127.0.0.1:0", "--loops", "1", "--auth-secret",
      String(repeating: "s", count: secretLengthMin),
    ]
    // Of two flags of one name the last one counts.
    let files = ["certificate", "key", "authority"].flatMap { ["--\($0)", "/nowhere"] }
    let request = try Configuration.read(
      GatewaySettings.all, arguments: own + files + arguments, environment: [:])
    guard case .run(let configuration) = request else {
      throw ConfigurationError("The arguments ask for something else than a run.")
    }
    return configuration
  }
}
