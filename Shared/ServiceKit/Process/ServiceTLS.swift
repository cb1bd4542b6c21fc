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
    try self.init(plan.certificateFiles, to: Array(plan.peers.keys), of: service)
  }

  /// Reads the files.
  init(_ files: CertificateFiles, to peers: [Service], of service: Service) throws(TLSError) {
    let server = try TLSServerContext(
      certificate: files.certificate, key: files.key,
      clientCertificates: .required(authority: files.authority), ticketSecret: nil)
    var services: [Service: TLSClientContext] = [:]
    for peer in peers {
      services[peer] = try TLSClientContext(
        trust: .authority(files.authority), certificate: files.certificate, key: files.key,
        serverName: PeerRole.certificateName(of: peer))
    }
    self.init(server, services, files, of: service)
  }

  init(
    _ server: TLSServerContext, _ services: [Service: TLSClientContext],
    _ files: CertificateFiles, of service: Service
  ) {
    (self.server, self.services) = (server, services)
    certificate = files.certificate
    name = PeerRole.certificateName(of: service)
    terms = [
      CertificateTerm("certificate", files.certificate, end: server.certificateEnd),
      CertificateTerm("authority", files.authority, end: server.authorityEnd),
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
