/// The processes of Muster. Ports, settings, certificates, scripts, routes and tests follow from
/// this list. `Package.swift` repeats the services behind the gateway: one that is missing there
/// does not compile in `Tests/Catalog/ServiceCores.swift`, which a test keeps equal to this list.
///
/// The raw value is the high byte of the service's opcodes and the distance of its port from 7400.
/// The scripts read the lines that begin with `case`: one service each.
public enum Service: UInt8, CaseIterable, Sendable {
  case gateway = 0
  case context = 1
  case request = 2
  case leaderboard = 3

  public var name: String { "\(self)" }

  /// The services that keep something, each of which a deployment may leave out.
  public static let behindGateway = allCases.filter { $0 != .gateway }
}

extension Failure {
  /// What a call or an effect meets that is for a service which the deployment leaves out.
  public static func leftOut(_ service: Service) -> Failure {
    Failure(
      .unavailable, "This deployment runs no \(service.name) service.",
      detail: Bytes(Array(service.name.utf8)))
  }

  /// Whether the deployment leaves out the service that was asked: nothing was done, and asking
  /// again is of no use.
  public var isLeftOut: Bool { code == .unavailable && !detail.array.isEmpty }
}
