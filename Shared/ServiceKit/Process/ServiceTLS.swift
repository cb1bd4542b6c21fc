import Transport
import Wire

/// The TLS contexts of a service's process: for those that connect to it, and for each service that
/// it connects to.
struct ServiceTLS: ProcessCredentials {
  let server: TLSServerContext
  let services: [Service: TLSClientContext]
  let terms: [CertificateTerm]
  /// The file of the certificate, and the name that it has to be for.
  private let certificate: String
  private let name: String

  /// Reads the plan's files.
  init(_ plan: ServicePlan, of service: Service) throws(TLSError) {
    let server = try TLSServerContext(
      certificate: plan.certificate, key: plan.key,
      clientCertificates: .required(authority: plan.authority), ticketSecret: nil)
    var services: [Service: TLSClientContext] = [:]
    for service in plan.peers.keys {
      services[service] = try TLSClientContext(
        trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
        serverName: PeerRole.certificateName(of: service))
    }
    self.init(server, services, plan, of: service)
  }

  init(
    _ server: TLSServerContext, _ services: [Service: TLSClientContext], _ plan: ServicePlan,
    of service: Service
  ) {
    (self.server, self.services) = (server, services)
    certificate = plan.certificate
    name = PeerRole.certificateName(of: service)
    terms = [
      CertificateTerm("certificate", plan.certificate, end: server.certificateEnd),
      CertificateTerm("authority", plan.authority, end: server.authorityEnd),
    ].compactMap(\.self)
  }

  /// Each context has read the files by itself, and they may have changed in between.
  func checkOwnCertificates() throws(TLSError) -> Int {
    var days = try server.checkOwnCertificate(certificate, name: name)
    for context in services.values {
      days = min(days, try context.checkOwnCertificate(certificate, name: name))
    }
    return days
  }
}
