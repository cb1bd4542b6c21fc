public import Domain
public import Wire

/// What the settings of every process say: where it listens, what it shows and trusts, and where
/// the others are.
public struct CommonPlan: Sendable {
  public let listen: NetworkAddress
  public let certificateFiles: CertificateFiles
  /// The processes of each service that the deployment has.
  public let services: [Service: [NetworkAddress]]
  /// Those of all settings that are numbers.
  public let numbers: SettingValues
  /// Nil where no file of metrics is wanted.
  public let metricsFile: MetricsFilePlan?
  /// Nil where the process has none.
  public let configurationFile: ConfigurationFile?

  /// Nil where something is missing or wrong, which is noted.
  public init?(_ configuration: Configuration, _ faults: inout ConfigurationFaults) {
    let listen = faults.attempt {
      try NetworkAddress(configuration.required("listen"), setting: "listen")
    }
    let files = faults.attempt { try CertificateFiles(configuration) }
    let services = faults.attempt { try configuration.addresses() }
    guard let listen, let files, let services else { return nil }
    (self.listen, self.services, certificateFiles) = (listen, services, files)
    numbers = configuration.numbers
    metricsFile = MetricsFilePlan(configuration)
    configurationFile = configuration.file
  }
}
