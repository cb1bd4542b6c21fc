import ServiceKit

/// The files of the certificates that a gateway shows, to Muster's other processes and to games.
struct GatewayCertificateFiles: Sendable {
  let own: CertificateFiles
  /// What games see: the gateway's own unless there is another one.
  let clientCertificate: String
  let clientKey: String

  init(_ own: CertificateFiles, _ configuration: Configuration) {
    self.own = own
    clientCertificate = configuration["client-certificate"] ?? own.certificate
    clientKey = configuration["client-key"] ?? own.key
  }
}
