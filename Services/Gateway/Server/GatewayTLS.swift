import ServiceKit
import Transport

/// The TLS contexts of all loops of the gateway, and what it derives credentials from.
struct GatewayTLS: ProcessCredentials {
  /// In the order of their numbers.
  let loops: [LoopTLS]
  var terms: [CertificateTerm] { loops.first?.terms ?? [] }
  private let plan: GatewayPlan
  var secrets: GatewaySecrets { plan.secrets }

  init(_ plan: GatewayPlan) throws {
    loops = try (1...plan.loops).map { _ in try LoopTLS(plan) }
    self.plan = plan
  }

  func verify() throws {
    _ = try loops.first?.checkOwnCertificates(plan)
  }
}
