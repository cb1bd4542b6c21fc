import GatewayCore
import ServiceKit
import Transport
import Wire

/// The TLS contexts of one of the gateway's loops: for its clients, and for each service.
///
/// Each loop has its own: the library counts references to a context with every connection and
/// locks it, which loops that share nothing would feel.
struct LoopTLS: Sendable {
  let clients: TLSServerContext
  let services: [Service: TLSClientContext]
  let terms: [CertificateTerm]
  /// The file of the certificate for clients, and of that for Muster's own processes.
  private let clientCertificate: String
  private let certificate: String

  init(_ plan: GatewayPlan) throws(TLSError) {
    let files = plan.certificates
    (clientCertificate, certificate) = (files.clientCertificate, files.own.certificate)
    var services: [Service: TLSClientContext] = [:]
    for service in plan.services.keys {
      services[service] = try Self.context(files.own, to: service)
    }
    self.services = services
    // The ticket secret is the keyring's, so that every loop of every gateway resumes the TLS
    // sessions of all the others.
    clients = try Self.context(
      forClients: files, ticketSecret: plan.secrets.keyring.ticketSecret)
    let inner = services.values.first
    terms = [
      CertificateTerm("certificate", files.own.certificate, end: inner?.certificateEnd),
      CertificateTerm("authority", files.own.authority, end: inner?.authorityEnd),
      CertificateTerm("client-certificate", files.clientCertificate, end: clients.certificateEnd),
    ].compactMap(\.self)
  }

  private static func context(_ files: CertificateFiles, to service: Service) throws(TLSError)
    -> TLSClientContext
  {
    try TLSClientContext(
      trust: .authority(files.authority), certificate: files.certificate, key: files.key,
      serverName: PeerRole.certificateName(of: service))
  }

  private static func context(
    forClients files: GatewayCertificateFiles, ticketSecret: [UInt8]?
  ) throws(TLSError) -> TLSServerContext {
    try TLSServerContext(
      certificate: files.clientCertificate, key: files.clientKey, clientCertificates: .none,
      ticketSecret: ticketSecret)
  }

  /// Throws what would keep others from taking the gateway's certificates, or returns for how many
  /// days both are still good.
  func checkOwnCertificates() throws(TLSError) -> Int {
    let name = PeerRole.certificateName(of: .gateway)
    var days = try clients.checkOwnCertificate(clientCertificate)
    for service in services.values {
      days = min(days, try service.checkOwnCertificate(certificate, name: name))
    }
    return days
  }

  /// The same for the files of what a service is shown.
  static func checkOwn(_ files: CertificateFiles, to service: Service) throws(TLSError) -> Int {
    try context(files, to: service).checkOwnCertificate(
      files.certificate, name: PeerRole.certificateName(of: .gateway))
  }

  /// The same for the files of what games are shown.
  static func checkForClients(_ files: GatewayCertificateFiles) throws(TLSError) -> Int {
    try context(forClients: files, ticketSecret: nil).checkOwnCertificate(files.clientCertificate)
  }

  /// Starts to connect to every process of every service.
  func connect(_ plan: GatewayPlan, on loop: Loop) -> Peers {
    var links: [Service: [Link]] = [:]
    for (service, tls) in services {
      links[service] = plan.services[service]?.map {
        Link(on: loop, host: $0.host, port: $0.port, tls: tls, limits: .server)
      }
    }
    return Peers(links: links, here: nil)
  }
}
