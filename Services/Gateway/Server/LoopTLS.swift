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
    (clientCertificate, certificate) = (plan.clientCertificate, plan.certificate)
    var services: [Service: TLSClientContext] = [:]
    for service in plan.services.keys {
      services[service] = try TLSClientContext(
        trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
        serverName: PeerRole.certificateName(of: service))
    }
    self.services = services
    // The ticket secret is the keyring's, so that every loop of every gateway resumes the TLS
    // sessions of all the others.
    clients = try TLSServerContext(
      certificate: plan.clientCertificate, key: plan.clientKey, clientCertificates: .none,
      ticketSecret: plan.secrets.keyring.ticketSecret)
    let inner = services.values.first
    terms = [
      CertificateTerm("certificate", plan.certificate, end: inner?.certificateEnd),
      CertificateTerm("authority", plan.authority, end: inner?.authorityEnd),
      CertificateTerm("client-certificate", plan.clientCertificate, end: clients.certificateEnd),
    ].compactMap(\.self)
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
