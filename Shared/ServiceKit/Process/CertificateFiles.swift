/// The files of what a process shows to Muster's other processes, and of what it trusts.
public struct CertificateFiles: Sendable {
  public let certificate: String
  public let key: String
  public let authority: String

  /// Throws all of the settings that are missing.
  public init(_ configuration: Configuration) throws(ConfigurationError) {
    var faults = ConfigurationFaults()
    let certificate = faults.attempt { try configuration.required("certificate") }
    let key = faults.attempt { try configuration.required("key") }
    let authority = faults.attempt { try configuration.required("authority") }
    guard let certificate, let key, let authority else {
      throw faults.error ?? ConfigurationError("The settings do not suffice.")
    }
    (self.certificate, self.key, self.authority) = (certificate, key, authority)
  }
}
