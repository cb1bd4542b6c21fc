import Transport
import Wire

/// The TLS contexts of a service's process: for those that connect to it, and for each service that
/// it connects to.
struct ServiceTLS: ProcessCredentials {
  let server: TLSServerContext
  let services: [Service: TLSClientContext]
  let terms: [CertificateTerm]
  private let plan: ServicePlan
  private let service: Service

  init(_ plan: ServicePlan, of service: Service) throws {
    (self.plan, self.service) = (plan, service)
    server = try TLSServerContext(
      certificate: plan.certificate, key: plan.key,
      clientCertificates: .required(authority: plan.authority), ticketSecret: nil)
    services = try plan.peers.keys.reduce(into: [:]) { contexts, service in
      contexts[service] = try TLSClientContext(
        trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
        serverName: PeerRole.certificateName(of: service))
    }
    terms = [
      CertificateTerm("certificate", plan.certificate, end: server.certificateEnd),
      CertificateTerm("authority", plan.authority, end: server.authorityEnd),
    ].compactMap(\.self)
  }

  func verify() throws { _ = try Self.check(plan, of: service) }

  /// Throws what would keep Muster's other processes from taking the certificate of the service's
  /// process, or returns for how many days it is still good.
  static func check(_ plan: ServicePlan, of service: Service) throws(TLSError) -> Int {
    let tls = try TLSClientContext(
      trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
      serverName: nil)
    return try tls.checkOwnCertificate(
      plan.certificate, name: PeerRole.certificateName(of: service))
  }
}
