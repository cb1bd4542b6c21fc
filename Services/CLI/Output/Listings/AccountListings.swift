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
          .word("build", \.build), .flag("ready", \.isReady),
          .number("seconds up", \.uptimeSeconds),
        ]),
      Listing(
        "processes", empty: "",
        { $0.metrics { $0.windows.isEmpty } },
        [
          .word("process", \.process.name), .word("partition", \.process.partition),
          .word("metric", \.metric.name), .word("of", \.metric.label),
          .number("value", \.metric.value), .word("unit", \.metric.shownUnit),
        ]),
      Listing(
        "processes", empty: "",
        { $0.metrics { !$0.windows.isEmpty } },
        [
          .word("process", \.process.name), .word("partition", \.process.partition),
          .word("metric", \.metric.name), .word("of", \.metric.label),
          .number("all", \.metric.value),
        ] + [(0, "minute"), (1, "hour")].flatMap { windowColumns($0, $1) } + [
          .word("unit", \.metric.shownUnit)
        ]),
    ]
  }

  /// How many there were in the last minute or hour, and the figures of these.
  private static func windowColumns(_ place: Int, _ name: String) -> [Column<ProcessMetric>] {
    [
      .number("last \(name)") { $0.metric.window(place)?.count },
      .number("median") { $0.metric.window(place)?.median },
      .number("p99") { $0.metric.window(place)?.p99 },
      .number("most") { $0.metric.window(place)?.maximum },
    ]
  }

  private func metrics(_ isShown: (ServiceStatus.Metric) -> Bool) -> [ProcessMetric] {
    processes.flatMap { process in
      process.metrics.filter(isShown).map { ProcessMetric(process: process, metric: $0) }
    }
  }

  private struct ProcessMetric {
    var process: ServiceStatus
    var metric: ServiceStatus.Metric
  }
}

extension ServiceStatus.Metric {
  /// What is counted has a name and needs no unit.
  fileprivate var shownUnit: String { unit == "count" ? "" : unit }

  fileprivate func window(_ place: Int) -> ServiceStatus.Window? {
    windows.indices.contains(place) ? windows[place] : nil
  }
}
