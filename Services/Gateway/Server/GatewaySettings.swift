import GatewayCore
import ServiceKit
import Transport
import Wire

enum GatewaySettings {
  private static let defaultLoops = min(LoopThread.availableParallelism, GatewayLimits.loopsMax)

  static let all: [Setting] =
    CommonSettings.all(port: CommonSettings.defaultPort(.gateway)) + [
      Setting(
        "loops", .number(1...GatewayLimits.loopsMax), fallback: "\(defaultLoops)",
        "Event loops, each on a thread of its own; by default as many as it may use cores."),
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
        "calls-per-second", .number(1...1_000_000), fallback: "\(GatewayLimits.callsPerSecond)",
        "Calls a second of one player, on each of the gateway's loops."),
      Setting(
        "connections-per-host", .number(1...1_000_000),
        fallback: "\(GatewayLimits.connectionsPerHost)", "Connections of one host."),
      Setting(
        "sign-ins-per-minute", .number(1...10_000_000),
        fallback: "\(GatewayLimits.signInsPerMinute)",
        "Sign-ups and sign-ins a minute from one address."),
      Setting(
        "partial-frame-seconds", .number(1...600), fallback: "20",
        "How long a client may take from the first byte of a frame to its last."),
    ] + CommonSettings.addresses(of: [.context, .request, .leaderboard])
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
  var callsPerSecond: Double
  var signInsPerMinute: Double
  var connectionsPerHost: Int
  var connectionsMax: Int
  var limits = ConnectionLimits.client
  var graceSeconds: Int
  var services: [Service: [NetworkAddress]] = [:]

  init(_ configuration: Configuration) throws(ConfigurationError) {
    listen = try NetworkAddress(configuration.required("listen"), setting: "listen")
    loops = configuration.number("loops")
    certificate = try configuration.required("certificate")
    key = try configuration.required("key")
    authority = try configuration.required("authority")
    clientCertificate = configuration["client-certificate"] ?? certificate
    clientKey = configuration["client-key"] ?? key
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
    callsPerSecond = Double(configuration.number("calls-per-second"))
    signInsPerMinute = Double(configuration.number("sign-ins-per-minute"))
    connectionsPerHost = configuration.number("connections-per-host")
    connectionsMax = configuration.number("connections-max")
    graceSeconds = configuration.number("grace-seconds")
    limits.partialFrameMilliseconds =
      UInt64(configuration.number("partial-frame-seconds")) * 1000
    for service in Service.allCases where service != .gateway {
      services[service] = try NetworkAddress.list(
        configuration.required(service.name), setting: service.name)
    }
  }
}
