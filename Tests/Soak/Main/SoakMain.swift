import Foundation
import KillRounds
import RankRounds
import ReRankRounds
import Stack

/// `muster-soak`: the long tests, each of which prints its counts and must find nothing wrong.
@main
enum SoakMain {
  static let usage = """
    usage: muster-soak [--only kills|foreign|power-loss|simulation|index|rerank|upgrade]
                       [--rounds N] [--foreign-rounds N] [--power-loss-rounds N] [--seconds-per-round N] [--players N]
                       [--partitions N] [--seed N] [--simulation-seeds N] [--index-operations N]
                       [--index-players N] [--rerank-players N] [--older DIRECTORY]
    """

  static func main() async {
    if CommandLine.arguments.contains("--help") {
      print(usage)
      return
    }
    do {
      let plan = try SoakPlan(Array(CommandLine.arguments.dropFirst()))
      var failed: [String] = []
      for (name, run) in steps where plan.only == nil || plan.only == name {
        tell("soak: \(name)")
        if try await !run(plan) { failed.append(name) }
      }
      tell(failed.isEmpty ? "soak: passed" : "soak: failed: \(failed.joined(separator: ", "))")
      exit(failed.isEmpty ? 0 : 1)
    } catch {
      tell("muster-soak: \(error)\n\(usage)")
      exit(64)
    }
  }

  static let steps: [(name: String, run: @Sendable (SoakPlan) async throws -> Bool)] = [
    ("kills", kills), ("foreign", foreign), ("power-loss", powerLoss), ("simulation", simulation),
    ("index", index), ("rerank", reRank), ("upgrade", upgrade),
  ]

  /// Load on a real deployment while each of its processes is killed at random moments.
  @Sendable static func kills(_ plan: SoakPlan) async throws -> Bool {
    let report = try await Soak.run(plan.options) { tell($0) }
    for violation in report.violations.prefix(20) { tell("  violation: \(violation)") }
    tell(
      "  \(report.rounds) rounds, \(report.kills) kills, \(report.counts); "
        + "\(report.violations.count) violations")
    return report.violations.isEmpty
  }

  /// A client in Python, which follows the page of the protocol through cuts and kills, with up to
  /// 5,000 events missed at a time.
  @Sendable static func foreign(_ plan: SoakPlan) async throws -> Bool {
    guard Python.isWanted else {
      tell("  skipped: there is no python3 (3.9 or later, with TLS 1.3) on the path")
      return true
    }
    let stack = try Stack(Python.reconnectOptions)
    try await stack.start()
    let script = try await Python.reconnect(
      stack,
      [
        "--rounds", "\(plan.foreignRounds)", "--missed-max", "5000", "--kills",
        "--seed", "\(plan.options.seed % 1_000_000_000)",
      ])
    await stack.stop()
    tell(script.output + script.errors)
    return script.status == 0
  }

  /// A store on a disk that loses what was not synced, names too, and the canaries that must fail
  /// on it.
  @Sendable static func powerLoss(_ plan: SoakPlan) async throws -> Bool {
    try await tool(
      "powerloss", ["\(plan.powerLossRounds)", "\(plan.options.seed % 1_000_000_000 + 1)"])
  }

  /// The engines of all services on virtual time, half of the seeds with four partitions: seeds of
  /// all kinds, as many of groups, games, queues and matches of several, and as many of friends,
  /// requests and tokens.
  @Sendable static func simulation(_ plan: SoakPlan) async throws -> Bool {
    let count = plan.simulationSeeds
    var isKept = true
    for kind in [[], ["--gatherings"], ["--societies"]] {
      // Each takes one core.
      let seeds = ["--seeds", "\(count)", "--first"]
      async let whole = tool("muster-simulate", seeds + ["1", "--partitions", "1"] + kind)
      async let parted = tool(
        "muster-simulate", seeds + ["\(count + 1)", "--partitions", "4"] + kind)
      let areKept = try await [whole, parted]
      isKept = isKept && areKept == [true, true]
    }
    return isKept
  }

  /// The rank index and the table of entries against obvious models, and what an entry takes of
  /// memory when there are ten million.
  @Sendable static func index(_ plan: SoakPlan) async throws -> Bool {
    do {
      let counts = try RankRounds.run(
        seed: plan.options.seed, operations: plan.indexOperations, tell: tell)
      tell("  \(counts.rounds) rounds, \(counts.operations) operations, no wrong answer")
    } catch {
      tell("  wrong: \(error)")
      return false
    }
    let players = "\(plan.indexPlayers)"
    let plain = try await tool("bench-index", ["memory", players])
    let tags = try await tool("bench-index", ["tags", players])
    let loaded = try await tool("bench-index", ["load", players])
    return plain && tags && loaded
  }

  /// A board of ten million players is ranked anew while others play, and its process is killed;
  /// then a smaller one, whose entries are made anew from kept attempts, each a row to read and to
  /// write.
  @Sendable static func reRank(_ plan: SoakPlan) async throws -> Bool {
    var order = ReRankOptions()
    order.players = plan.reRankPlayers
    order.seed = plan.options.seed
    var recount = order
    recount.players = plan.reRankPlayers / 50
    recount.keepsAttempts = true
    let isOrderRight = await reRank(order)
    let isRecountRight = await reRank(recount)
    return isOrderRight && isRecountRight
  }

  private static func reRank(_ options: ReRankOptions) async -> Bool {
    do {
      let report = try await ReRankSoak.run(options, tell)
      for violation in report.violations.prefix(20) { tell("  violation: \(violation)") }
      return report.isRight
    } catch {
      tell("  failed: \(error)")
      return false
    }
  }

  /// Runs a tool that was built with this one and shows what it says; true when it succeeded.
  private static func tool(_ name: String, _ arguments: [String]) async throws -> Bool {
    let process = try ServerProcess(
      name: name, executable: Binaries.url(name), arguments: arguments)
    let status = await process.ended()
    tell(process.output + process.errors)
    return status == 0
  }

  /// Tells at once, also through a pipe.
  @Sendable static func tell(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}

struct SoakPlan: Sendable {
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  var only: String?
  var options = SoakOptions()
  /// Each has four crashes.
  var powerLossRounds = 2500
  var foreignRounds = 100
  /// With one partition, and as many others with four; and as many gatherings of both.
  var simulationSeeds = 1000
  /// Of each round.
  var indexOperations = 250_000
  var indexPlayers = 10_000_000
  var reRankPlayers = 10_000_000
  /// The programs of another build, for `upgrade`.
  var older: URL?

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let flag = rest.popFirst() {
      guard let text = rest.popFirst() else { throw Fault(description: "\(flag) needs a value") }
      if flag == "--only" {
        only = text
        guard SoakMain.steps.contains(where: { $0.name == text }) else {
          throw Fault(description: "there is no soak test \(text)")
        }
        continue
      }
      if flag == "--older" {
        older = URL(fileURLWithPath: text)
        continue
      }
      guard let value = UInt64(text) else { throw Fault(description: "\(flag) takes a number") }
      switch flag {
      case "--rounds": options.rounds = Int(clamping: max(1, value))
      case "--foreign-rounds": foreignRounds = Int(clamping: max(1, value))
      case "--power-loss-rounds": powerLossRounds = Int(clamping: value)
      case "--seconds-per-round": options.secondsPerRound = Int(clamping: max(1, value))
      case "--players": options.players = Int(clamping: min(100, max(8, value)))
      case "--partitions": options.partitions = Int(clamping: max(1, value))
      case "--seed": options.seed = value
      case "--index-operations": indexOperations = Int(clamping: max(1, value))
      case "--index-players": indexPlayers = Int(clamping: max(1, value))
      case "--rerank-players": reRankPlayers = Int(clamping: max(50_000, value))
      case "--simulation-seeds": simulationSeeds = Int(clamping: value)
      default: throw Fault(description: "there is no option \(flag)")
      }
    }
    if only == "upgrade", older == nil { throw Fault(description: "upgrade needs --older") }
  }
}
