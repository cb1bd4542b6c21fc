import Foundation
import Simulation

/// `muster-simulate --seeds N --first S --steps N --partitions P --canary FAULT`: simulates as many
/// deployments, prints what happened, and at the first broken promise the seed with which to see it
/// again.
@main
enum SimulateMain {
  struct Order {
    var seeds: UInt64 = 100
    var first: UInt64 = 1
    var steps = 250
    var partitions = 1
    var canary: Canary?
    /// The option that says of which kind every seed is; nil for all kinds.
    var kind: String?

    init?(_ arguments: [String]) {
      var rest = arguments[...]
      while let name = rest.popFirst() {
        if name == "--gatherings" || name == "--societies" {
          kind = name
          continue
        }
        guard let text = rest.popFirst() else { return nil }
        if name == "--canary" {
          canary = Canary(rawValue: text)
          if canary == nil { return nil }
          continue
        }
        guard let number = UInt64(text), number > 0 else { return nil }
        switch name {
        case "--seeds": seeds = number
        case "--first": first = number
        case "--steps": steps = Int(clamping: number)
        case "--partitions" where number <= 16: partitions = Int(number)
        default: return nil
        }
      }
    }
  }

  private static let usage = """
    usage: muster-simulate [--seeds N] [--first S] [--steps N] [--partitions 1...16]
                           [--canary FAULT] [--gatherings | --societies]
    Simulates N deployments (100) from the seeds S (1) and following, each for so many steps (250) with
    so many partitions (1) of every service. Ends with 1 at the first broken promise, and says how to
    see it again. With --gatherings every seed plays groups, turn-based games, queues and matches of
    several, otherwise every fourth; with --societies friends, requests, tokens and all else of the
    request service, otherwise every twelfth. With a fault that is built in, which is looked for in those seeds in
    which it shows soon, a promise must be broken; the faults are
    \(Canary.allCases.map(\.rawValue).joined(separator: ", ")).
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") {
      print(usage)
      exit(0)
    }
    guard let order = Order(arguments) else {
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
    exit(run(order))
  }

  private static func run(_ order: Order) -> Int32 {
    var total = SimulationReport()
    let start = Date()
    var count: UInt64 = 0
    for seed in order.first..<order.first + order.seeds {
      var options = SimulationOptions(seed: seed, isSociety: order.kind == "--societies")
      options.steps = order.steps
      options.partitions = order.partitions
      options.canary = order.canary
      if order.kind == "--gatherings" { options.isGathering = true }
      if let canary = order.canary, !canary.shows(in: options) { continue }
      count += 1
      do {
        total.add(try Simulation.run(options))
      } catch {
        print("FAILED: \(error)")
        let options = smallest(options)
        print(
          "repeat with: muster-simulate --seeds 1 --first \(seed) --steps \(options.steps) "
            + "--partitions \(options.partitions)"
            + (options.canary.map { " --canary \($0.rawValue)" } ?? "")
            + (order.kind.map { " \($0)" } ?? ""))
        return 1
      }
    }
    let seconds = Date().timeIntervalSince(start)
    let steps = Double(count) * Double(order.steps)
    print(
      """
      \(count) seeds of \(order.steps) steps, \(order.partitions) partitions: all kept
      calls \(total.calls), refused \(total.refusals), repeated \(total.repeats), \
      late \(total.lateEffects)
      effects \(total.effects), stream events \(total.streamEvents), \
      challenges completed \(total.completedChallenges), to earn \(total.earnedChallenges)
      sessions \(total.sessions), tokens renewed \(total.renewals), \
      clients died \(total.clientDeaths)
      crashes \(total.crashes), cuts \(total.cuts), clock jumps \(total.jumps)
      \(happened(total.happenings))
      \(Int(steps / seconds)) steps/s, \(Int(Double(total.events) / seconds)) events/s
      """)
    let missing = total.happenings.missing.filter { happening in
      switch order.kind {
      case "--gatherings"?: happening.isOfGatherings
      case "--societies"?: happening.isOfSocieties
      default: !happening.isOfSocietiesAlone
      }
    }
    // With a fault, only those seeds were played in which it shows.
    guard order.canary == nil, count >= seedsForEverything, !missing.isEmpty else { return 0 }
    print("FAILED: never happened: \(missing.map(\.rawValue).joined(separator: ", "))")
    return 1
  }

  /// With so many seeds everything happens.
  private static let seedsForEverything: UInt64 = 500

  private static func happened(_ happenings: Happenings) -> String {
    Happening.allCases
      .map { "\($0.rawValue) \(happenings.counts[$0] ?? 0)" }
      .joined(separator: ", ")
  }
}

extension SimulateMain {
  /// The same seed with as few steps as still break a promise, by doubling.
  private static func smallest(_ options: SimulationOptions) -> SimulationOptions {
    var smaller = options
    smaller.steps = 5
    while smaller.steps < options.steps {
      if (try? Simulation.run(smaller)) == nil { return smaller }
      smaller.steps += max(1, smaller.steps / 4)
    }
    return options
  }
}

extension SimulationReport {
  fileprivate mutating func add(_ other: SimulationReport) {
    events += other.events
    calls += other.calls
    refusals += other.refusals
    repeats += other.repeats
    effects += other.effects
    sessions += other.sessions
    renewals += other.renewals
    clientDeaths += other.clientDeaths
    crashes += other.crashes
    cuts += other.cuts
    jumps += other.jumps
    streamEvents += other.streamEvents
    completedChallenges += other.completedChallenges
    earnedChallenges += other.earnedChallenges
    lateEffects += other.lateEffects
    happenings.add(other.happenings)
  }
}
