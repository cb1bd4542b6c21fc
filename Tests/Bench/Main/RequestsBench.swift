import BenchStack
import Foundation
import Stack
import Wire

/// Durable requests between friends who are all connected: how many are delivered a second, and how
/// long it takes from the send to the push; and what the reading of a long stream by one player
/// costs the others.
///
/// The baseline is the goal: nothing else that sends requests runs in the same process.
enum RequestsBench {
  private static let deliveriesPerSecondMin = 30_000.0
  /// What the p99 of the others may grow by while one player reads a long stream.
  private static let replayGrowthMax = 1.5
  private static let replayed = 100_000

  private struct Shape {
    var recipients, connections, depth: Int
    var name: String { "\(recipients) recipient\(recipients == 1 ? "" : "s")" }
  }

  /// As many under way as make the machine busy.
  private static let shapes = [
    Shape(recipients: 1, connections: 256, depth: 4),
    Shape(recipients: 50, connections: 510, depth: 2),
  ]

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    for shape in shapes {
      await sheet.part(shape.name) { try await deliveries(shape, options, sheet) }
    }
    await sheet.part("replay of a long stream") { try await replay(options, sheet) }
  }

  private static func deliveries(_ shape: Shape, _ options: BenchOptions, _ sheet: BenchSheet)
    async throws
  {
    var rounds: [Load.Figures] = []
    for round in 1...options.rounds {
      rounds.append(
        try await withStack {
          try await PlayedLoad.run(
            load(shape, options), on: $0, "requests to \(shape.name), round \(round)")
        })
      tell(rounds[round - 1])
    }
    let perSecond = median(rounds.map { $0.heard / $0.seconds })
    try sheet.add(
      BenchCase(
        bench: "requests", case: "deliveries, \(shape.name), beside the goal", unit: "1/s",
        ours: perSecond, baseline: deliveriesPerSecondMin,
        ratio: perSecond / deliveriesPerSecondMin))
    let (p50, p99) = (median(rounds.map(\.heard_p50_us)), median(rounds.map(\.heard_p99_us)))
    for (name, ours) in [("p50", p50), ("p99", p99)] {
      // The same figure beside: there is no goal for it.
      try sheet.add(
        BenchCase(
          bench: "requests", case: "send to push, \(shape.name), \(name)", unit: "us", ours: ours,
          baseline: ours, ratio: 1))
    }
    sheet.judge(
      .goal, "requests, deliveries a second, \(shape.name),", perSecond, deliveriesPerSecondMin,
      isAtLeast: true)
  }

  /// The others leave the machine some rest: at its limit every figure would be that of the queue.
  /// They delete what they get.
  private static func replay(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    var growths: [(growth: Double, alone: Double)] = []
    for round in 1...options.rounds {
      let figures = try await withStack { stack in
        var load = load(Shape(recipients: 1, connections: 16, depth: 1), options)
        load.replay = replayed
        return try await PlayedLoad.run(load, on: stack, "with a replay, round \(round)")
      }
      guard figures.replayed >= Double(replayed), figures.during > 0 else {
        throw BenchFailure("\(figures.replayed) events of \(replayed) were read.")
      }
      Progress.say(
        String(
          format: "    %.0f events read in %.0f ms; p99 of the others meanwhile %.0f us (%.0f)",
          figures.replayed, figures.replay_us / 1e3, figures.during_p99_us, figures.during))
      growths.append((figures.during_p99_us, figures.heard_p99_us))
    }
    let (during, alone) = (median(growths.map(\.growth)), median(growths.map(\.alone)))
    try sheet.add(
      BenchCase(
        bench: "requests", case: "send to push, p99, while 100,000 events are replayed", unit: "us",
        ours: during, baseline: alone, ratio: alone / during))
    sheet.judge(
      .goal, "requests, p99 while 100,000 events are replayed, times that of all,",
      during / alone, replayGrowthMax, isAtLeast: false)
  }

  private static func load(_ shape: Shape, _ options: BenchOptions) -> Load {
    var load = Load()
    load.play = .requests
    load.recipients = shape.recipients
    load.connections = shape.connections
    load.depth = shape.depth
    load.seconds = options.loadSeconds
    return load
  }

  private static func tell(_ figures: Load.Figures) {
    Progress.say(
      String(
        format: "    %.0f delivered a second; from send to push p50 %.1f ms, p99 %.1f ms",
        figures.heard / figures.seconds, figures.heard_p50_us / 1e3, figures.heard_p99_us / 1e3))
  }

  /// A stack in which nothing but the machine limits who sends requests.
  private static func withStack<Result>(_ body: (Stack) async throws -> Result) async throws
    -> Result
  {
    var options = Stack.Options()
    options.leftOut = [.leaderboard, .context]
    options.flags["request/1"] = RequestLoad.flags
    return try await Stack.running(options, body)
  }
}
