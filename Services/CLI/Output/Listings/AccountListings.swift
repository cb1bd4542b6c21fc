import MusterKit

extension ListSessions.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "devices", empty: "no devices", \.devices,
        [
          .text("device name", \.name), .word("provider", \.provider), .date("added", \.addedAt),
          .date("last sign-in", \.lastSignIn), .flag("this one", \.isOwn),
          .id("device") { $0.device },
        ]),
      Listing(
        "sessions", empty: "no sessions", \.sessions,
        [
          .word("game", \.game), .date("began", \.began), .date("last used", \.lastUsed),
          .flag("connected", \.isConnected), .flag("this one", \.isOwn),
          .word("session") { "\($0.session)" }, .id("device") { $0.device },
        ]),
    ]
  }
}

extension ListIdentities.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "identities", empty: "no identities; `muster identity link` links one", \.identities,
        [
          .word("provider", \.provider), .text("subject", \.subject),
          .date("linked", \.linkedAt), .id("identity") { $0.identity },
        ])
    ]
  }
}

extension DeploymentStatus.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "processes", empty: "no processes", \.processes,
        [
          .word("process", \.name), .word("partition", \.partition), .word("version", \.version),
          .flag("ready", \.isReady), .number("seconds up", \.uptimeSeconds),
        ]),
      Listing(
        "processes", empty: "",
        { reply in
          reply.processes.flatMap { process in
            process.metrics.map { ProcessMetric(process: process, metric: $0) }
          }
        },
        [
          .word("process", \.process.name), .word("partition", \.process.partition),
          .word("metric", \.metric.name), .number("value", \.metric.value),
        ]),
    ]
  }

  private struct ProcessMetric {
    var process: ServiceStatus
    var metric: ServiceStatus.Metric
  }
}
