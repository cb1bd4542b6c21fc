import Domain
import GatewayCore
import ServiceKit
import Transport
import Wire

extension NumberSetting {
  static let loops = NumberSetting(
    "loops", .count, default: min(LoopThread.availableParallelism, GatewayLimits.loopsMax),
    1...GatewayLimits.loopsMax,
    "Event loops, each on a thread of its own; by default as many as it may use cores.")
}

enum GatewaySettings {
  static let all: [Setting] =
    CommonSettings.all(port: CommonSettings.defaultPort(.gateway)) + [
      Setting(.loops),
      Setting(
        "client-certificate",
        "Certificate shown to games, PEM; without it, the one shown to Muster's own processes."),
      Setting("client-key", "The private key of client-certificate, PEM."),
      Setting(
        "auth-secret", isSecret: true,
        "Signs sessions and hashes credentials; shared by all gateways, at least 32 characters."),
      Setting(
        "operator-secret", isSecret: true,
        "Lets an operator sign in, at least 32 characters; without it none can."),
      Setting(
        "development", .flag, fallback: "false",
        "Permit short secrets. Never where players can reach it."),
      Setting(
        "trusted-proxies",
        "Balancers in front, as addresses or prefixes (10.0.0.0/8) with commas; each of their "
          + "connections begins with a PROXY protocol v2 header, which says whose it is."),
    ] + HostBudgets.settings.map { Setting($0) } + IdentitySettings.all
    + GatewayState.settings.map { Setting($0) } + CommonSettings.addresses
}

struct GatewayPlan: Sendable {
  /// Shorter secrets can be guessed.
  static let secretLengthMin = 32

  var listen: NetworkAddress
  var loops: Int
  var certificate: String
  var key: String
  var authority: String
  var clientCertificate: String
  var clientKey: String
  var authSecret: [UInt8]
  var operatorSecret: [UInt8]?
  var identities: IdentityPlan
  var settings: SettingValues
  var connectionsMax: Int
  var proxies: TrustedProxies
  var limits = ConnectionLimits.client
  var stopGraceMilliseconds: UInt64
  /// Nil where no file of metrics is wanted.
  var metricsFile: MetricsFilePlan?
  var services: [Service: [NetworkAddress]] = [:]

  init(_ configuration: Configuration) throws(ConfigurationError) {
    listen = try NetworkAddress(configuration.required("listen"), setting: "listen")
    let numbers = configuration.numbers
    settings = numbers
    loops = Int(numbers[.loops])
    certificate = try configuration.required("certificate")
    key = try configuration.required("key")
    authority = try configuration.required("authority")
    clientCertificate = configuration["client-certificate"] ?? certificate
    clientKey = configuration["client-key"] ?? key
    identities = try IdentityPlan(configuration)
    authSecret = Array(try configuration.required("auth-secret").utf8)
    // An empty one, as of a variable that is set to nothing, lets nobody in rather than everybody.
    operatorSecret = configuration["operator-secret"].flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    if !configuration.flag("development") {
      for (name, secret) in [("auth-secret", authSecret), ("operator-secret", operatorSecret)] {
        guard let secret, secret.count < Self.secretLengthMin else { continue }
        throw ConfigurationError(
          "--\(name) has fewer than \(Self.secretLengthMin) characters, which only --development "
            + "permits.")
      }
    }
    connectionsMax = Int(numbers[.connectionsMax])
    guard let proxies = TrustedProxies(configuration["trusted-proxies"] ?? "") else {
      throw ConfigurationError(
        "--trusted-proxies takes addresses and prefixes such as 10.0.0.0/8, with commas.")
    }
    self.proxies = proxies
    stopGraceMilliseconds = UInt64(numbers[.stopGrace])
    metricsFile = MetricsFilePlan(configuration)
    limits.partialFrameMilliseconds = UInt64(numbers[.partialFrame])
    limits.idleMilliseconds = UInt64(numbers[.clientIdle])
    services = try configuration.addresses()
    if services.isEmpty { throw ConfigurationError("The deployment leaves out every service.") }
  }
}
