import ServiceKit
import Transport

/// The TLS contexts of all loops of the gateway.
struct GatewayTLS: ProcessCredentials {
  /// In the order of their numbers.
  let loops: [LoopTLS]
  let terms: [CertificateTerm]
  private let plan: GatewayPlan

  init(_ plan: GatewayPlan) throws {
    loops = try (1...plan.loops).map { _ in try LoopTLS(plan) }
    self.plan = plan
    let (clients, toServices) = (loops.first?.clients, loops.first?.services.values.first)
    terms = [
      CertificateTerm("certificate", plan.certificate, end: toServices?.certificateEnd),
      CertificateTerm("authority", plan.authority, end: toServices?.authorityEnd),
      CertificateTerm("client-certificate", plan.clientCertificate, end: clients?.certificateEnd),
    ].compactMap(\.self)
  }

  func verify() throws {
    _ = try loops.first?.checkOwnCertificates(plan)
  }
}
