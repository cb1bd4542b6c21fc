public import Domain
public import Wire

extension NumberSetting {
  public static let connectionsMax = NumberSetting(
    "connections-max", .count, default: 20_000, 1...1_000_000, "Open connections.")
  public static let stopGrace = NumberSetting(
    "grace-seconds", .seconds, default: 10, 0...600,
    "How long a stopping process waits for what is under way.")
}

/// Settings that every process of Muster has.
public enum CommonSettings {
  public static func all(port: Int) -> [Setting] {
    [
      Setting(
        "listen", fallback: "127.0.0.1:\(port)", "Address and port; port 0 takes a free one."),
      Setting("certificate", "This process's certificate, PEM: shown to Muster's other processes."),
      Setting("key", "The certificate's private key, PEM."),
      Setting("authority", "Certificate of the authority that signed every process's, PEM."),
      Setting(.connectionsMax),
      Setting(.stopGrace),
      MetricsFilePlan.setting,
      Setting(.metricsInterval),
      Setting("ready-file", "Written with the listening port once the process is ready."),
      Setting(
        "log-level", .parsed(form: Log.Levels.form, fault: Log.Levels.fault(in:)), fallback: "info",
        "The least level to log, and of some subsystems another: info,clients=debug."),
      Setting(
        "log-format", .choice(Log.Format.allCases.map(\.rawValue)), fallback: "human",
        "Lines for people or for machines."),
      .task(
        StartCheck.task,
        "Says whether the process would start with these settings and files, and ends. Nothing is "
          + "bound, written or changed."),
    ]
  }

  /// Where the processes of each service are, one setting each.
  public static let addresses = Service.behindGateway.map {
    Setting(
      $0.name, fallback: "127.0.0.1:\(defaultPort($0))",
      "Addresses of the \($0.name) service's processes, in order of partition, with commas; or none "
        + "when the deployment leaves it out.")
  }

  public static func defaultPort(_ service: Service) -> Int { 7400 + Int(service.rawValue) }
}

extension Configuration {
  /// Where the processes of each service are; those that the deployment leaves out are not in it.
  public func addresses() throws(ConfigurationError) -> [Service: [NetworkAddress]] {
    var addresses: [Service: [NetworkAddress]] = [:]
    var faults = ConfigurationFaults()
    for service in Service.behindGateway {
      faults.attempt {
        let text = try required(service.name)
        if text == "none" { return }
        addresses[service] = try NetworkAddress.list(text, setting: service.name)
      }
    }
    if let error = faults.error { throw error }
    return addresses
  }
}

extension NetworkAddress {
  public init(_ text: String, setting: String) throws(ConfigurationError) {
    guard let address = Self(text) else {
      throw ConfigurationError("--\(setting) takes host:port, not \(text).")
    }
    self = address
  }

  public static func list(_ text: String, setting: String) throws(ConfigurationError)
    -> [NetworkAddress]
  {
    var addresses: [NetworkAddress] = []
    for part in text.split(separator: ",") {
      addresses.append(try NetworkAddress(String(part), setting: setting))
    }
    return addresses
  }
}
