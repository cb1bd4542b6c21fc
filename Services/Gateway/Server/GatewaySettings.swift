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
        "Signs sessions and hashes credentials; shared by all gateways, at least 32 characters. "
          + "Not needed where keys-file has a key for each purpose."),
      Setting(
        "keys-file",
        "A file with keys that take the place of those of auth-secret, generations of game servers' "
          + "credentials, and operators by name; not to be readable by others than its owner and "
          + "group."),
      Setting(
        "operator-secret", isSecret: true,
        "Lets an operator without a name sign in, at least 32 characters."),
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

/// The configuration of a gateway: that of every process, and its own.
@dynamicMemberLookup
struct GatewayPlan: Sendable {
  /// Shorter secrets can be guessed.
  static let secretLengthMin = 32

  private let common: CommonPlan
  var loops: Int
  let certificates: GatewayCertificateFiles
  private(set) var secrets: GatewaySecrets
  var operatorSecret: [UInt8]?
  var identities: IdentityPlan
  var settings: SettingValues { common.numbers }
  var connectionsMax: Int
  var proxies: TrustedProxies
  var limits = ConnectionLimits.client
  var stopGraceMilliseconds: UInt64

  subscript<Value>(dynamicMember member: KeyPath<CommonPlan, Value>) -> Value {
    common[keyPath: member]
  }

  init(_ configuration: Configuration) throws(ConfigurationError) {
    var faults = ConfigurationFaults()
    let common = CommonPlan(configuration, &faults)
    let identities = faults.attempt { try IdentityPlan(configuration) }
    let secrets = faults.attempt { try GatewaySecrets(configuration) }
    // An empty one, as of a variable that is set to nothing, lets nobody in rather than everybody.
    operatorSecret = configuration["operator-secret"].flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    for fault in Self.faultsOfSecrets(configuration) { faults.add(fault) }
    let proxies = TrustedProxies(configuration["trusted-proxies"] ?? "")
    if proxies == nil {
      faults.add("--trusted-proxies takes addresses and prefixes such as 10.0.0.0/8, with commas.")
    }
    if common?.services.isEmpty == true { faults.add("The deployment leaves out every service.") }
    if let error = faults.error { throw error }
    guard let common, let identities, let secrets, let proxies else {
      preconditionFailure("what is missing was not noted as a fault")
    }
    (self.common, self.identities, self.secrets) = (common, identities, secrets)
    self.proxies = proxies
    certificates = GatewayCertificateFiles(common.certificateFiles, configuration)
    let numbers = common.numbers
    loops = Int(numbers[.loops])
    connectionsMax = Int(numbers[.connectionsMax])
    stopGraceMilliseconds = UInt64(numbers[.stopGrace])
    limits.partialFrameMilliseconds = UInt64(numbers[.partialFrame])
    limits.idleMilliseconds = UInt64(numbers[.clientIdle])
  }

  func with(_ secrets: GatewaySecrets) -> GatewayPlan {
    var plan = self
    plan.secrets = secrets
    return plan
  }

  /// What is wrong with secrets; they are not told. An empty one counts as not set.
  private static func faultsOfSecrets(_ configuration: Configuration) -> [String] {
    if configuration.flag("development") { return [] }
    return ["auth-secret", "operator-secret"].filter {
      1..<secretLengthMin ~= (configuration[$0] ?? "").utf8.count
    }.map {
      "--\($0) has fewer than \(secretLengthMin) characters, which only --development permits."
    }
  }
}
