import MusterKit
import Operations
import Stack
import Transport
import Wire

/// Rounds of load on a real deployment whose processes are killed meanwhile.
///
/// Players submit scores, send and answer requests and challenge each other; in every round each
/// kind of process is killed at a random moment and started again. After every round, everything
/// that was acknowledged must be there, once, and both sides of everything must agree.
public enum Soak {
  static let sumBoard = "soak-sum"
  static let duelBoard = "soak-duel"

  public static func run(_ options: SoakOptions, _ tell: @Sendable (String) -> Void) async throws
    -> SoakReport
  {
    let stack = try Stack(Stack.Options(partitions: options.partitions))
    do {
      try await stack.start()
      let report = try await run(options, on: stack, tell)
      await stack.stop()
      return report
    } catch {
      await stack.stop()
      throw error
    }
  }

  private static func run(
    _ options: SoakOptions, on stack: Stack, _ tell: @Sendable (String) -> Void
  ) async throws -> SoakReport {
    tell("seed \(options.seed), \(options.players) players, \(options.partitions) partitions")
    var random = SeededRandom(seed: options.seed)
    let thread = LoopThread(name: "soak")
    let world = try await SoakWorld(stack, players: options.players, on: thread)
    var report = SoakReport()
    for round in 1...options.rounds {
      let before = world.counts.acknowledged
      let kills = try await play(world, stack, seconds: options.secondsPerRound, &random)
      try await world.settle()
      report.kills += kills
      report.rounds = round
      report.counts = world.counts
      report.violations = await world.violations()
      tell(
        "round \(round) of \(options.rounds): \(kills) kills, "
          + "\(world.counts.acknowledged - before) calls acknowledged, "
          + "\(report.violations.count) violations; so far \(report.counts)")
      if !report.violations.isEmpty { break }
    }
    await world.close()
    thread.stop()
    await thread.stopped()
    return report
  }

  /// Load for some seconds, in which one process of each service, and the gateway, die in turn.
  private static func play(
    _ world: SoakWorld, _ stack: Stack, seconds: Int, _ random: inout SeededRandom
  ) async throws -> Int {
    let end = ContinuousClock.now + .seconds(seconds)
    let seeds = world.players.map { _ in random.next() }
    var victims: [String] = []
    for service in Service.allCases {
      let processes = stack.names.filter { $0.hasPrefix(service.name) }
      if let victim = processes.randomElement(using: &random) { victims.append(victim) }
    }
    victims.shuffle(using: &random)
    let pauses = victims.map { _ in
      Int.random(in: 0...seconds * 2000 / victims.count, using: &random)
    }
    try await withThrowingTaskGroup { group in
      for (index, player) in world.players.enumerated() {
        group.addTask {
          var random = SeededRandom(seed: seeds[index])
          while ContinuousClock.now < end {
            await player.act(&random, friends: world.friends(of: index))
          }
        }
      }
      for (victim, pause) in zip(victims, pauses) {
        try await Moments.pause(.milliseconds(pause))
        try await stack.kill(victim)
        try await stack.start(victim)
      }
      try await group.waitForAll()
    }
    return victims.count
  }
}

extension LoadCounts {
  package var acknowledged: Int { submissions + requests + answers + challenges }
}
