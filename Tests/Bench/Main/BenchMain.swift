import BenchStack
import Foundation

/// `muster-bench [option...]`: every benchmark beside its baseline in the same run.
///
/// Prints a table and adds a line per case to `.muster/bench.jsonl`. A ratio above 1 is better for
/// us. The machine is part of the result: compare ratios, not absolute figures of different days.
@main
enum BenchMain {
  typealias Run = @Sendable (BenchOptions, BenchSheet) async throws -> Void

  static let benchmarks: [(name: String, run: Run)] = [
    ("tls-echo", whole(EchoBench.run)), ("submit", whole(SubmitBench.run)),
    ("index", whole(IndexBench.run)), ("large", whole(LargeBench.run)),
    ("rank", whole(RankBench.run)), ("timers", whole(TimersBench.run)),
    ("players", whole(PlayersBench.run)), ("relay", RelayBench.run),
    ("matchmaking", MatchmakingBench.run), ("turns", TurnsBench.run),
    ("requests", RequestsBench.run), ("idle", IdleBench.run),
    ("client", ClientBench.run), ("hostile", HostileBench.run), ("storm", StormBench.run),
  ]

  /// A benchmark of one part.
  private static func whole(
    _ run: @escaping @Sendable (BenchOptions) async throws -> [BenchCase]
  ) -> Run {
    { options, sheet in try sheet.add(try await run(options)) }
  }

  private static let usage = """
    usage: muster-bench [option...]

    Runs every benchmark beside its baseline and prints a table; adds a line per case to
    .muster/bench.jsonl. A ratio above 1 is better for us. Goals are met or MISSED; it ends with 1
    when a part has failed or a bound was not kept, after the others have run.

      --only NAME    one of \(benchmarks.map(\.name).joined(separator: ", "))
      --seconds N    how long submit submits and turns moves (120), and how long the players of
                     hostile are measured alone and beside each attack (8)
      --rounds N     rounds of tls-echo, rank, index, timers, relay, matchmaking, requests and
                     client (5), of hostile and storm (3)
      --players N    how many the board of large has (10000000)
      --games N      how many turn-based games are open in turns (1000000)
      --waiting N    how many tickets wait in matchmaking (100000)
      --idle N       how many players are connected in idle (10000)
      --storm N      how many players come back in storm (20000)
      --attack NAME  the only attack of hostile: \(HostileAttack.all.map(\.name).joined(separator: ", "))
    """

  static func main() async {
    if CommandLine.arguments.contains("--help") {
      print(usage)
      return
    }
    do {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      let chosen = benchmarks.filter { options.only == nil || $0.name == options.only }
      guard !chosen.isEmpty else {
        let names = benchmarks.map(\.name).joined(separator: ", ")
        throw BenchFailure("There is no benchmark \(options.only ?? ""); there are \(names).")
      }
      let sheet = BenchSheet(path: ".muster/bench.jsonl")
      for benchmark in chosen {
        Progress.say("\(benchmark.name):")
        do {
          try await benchmark.run(options, sheet)
        } catch {
          sheet.fail(benchmark.name, error)
        }
      }
      print(sheet.text)
      if !sheet.failures.isEmpty { exit(1) }
    } catch {
      Progress.say("muster-bench: \(error)")
      exit(1)
    }
  }
}

struct BenchOptions {
  var only: String?
  /// How long `submit` submits and `turns` moves.
  var submitSeconds = 120
  /// Rounds of `tls-echo`, `rank`, `index`, `timers`, `relay` and `requests`; each of the first has
  /// servers and connections of its own. At most three of `hostile` and `storm`.
  var rounds = 5
  /// Of each server in each round.
  var echoSeconds = 8
  /// How many the board of `large` has.
  var players = 10_000_000
  /// How many games are open in `turns`.
  var games = 1_000_000
  /// How many tickets wait at most in `matchmaking`.
  var waiting = 100_000
  /// How many players are connected in `idle`.
  var idle = 10_000
  /// How many players come back in `storm`.
  var storm = 20_000
  /// How long the players of `hostile` are measured, alone and beside each attack.
  var attackSeconds = 8
  /// The only attack of `hostile`; nil makes all of them.
  var attack: String?
  /// How long `large` reads, and how long it reads and submits; how long `matchmaking` asks for
  /// matches and `requests` sends, and `turns` moves with all its games open.
  var loadSeconds = 20

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard let value = rest.popFirst() else { throw BenchFailure("\(argument) needs a value.") }
      switch argument {
      case "--only": only = value
      case "--seconds":
        submitSeconds = try Self.number(argument, value)
        attackSeconds = submitSeconds
      case "--rounds": rounds = try Self.number(argument, value)
      case "--players": players = try Self.number(argument, value)
      case "--games": games = try Self.number(argument, value)
      case "--waiting": waiting = try Self.number(argument, value)
      case "--idle": idle = try Self.number(argument, value)
      case "--storm": storm = try Self.number(argument, value)
      case "--attack": attack = value
      default: throw BenchFailure("There is no option \(argument).")
      }
    }
  }

  private static func number(_ name: String, _ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else {
      throw BenchFailure("\(name) takes a whole number above 0.")
    }
    return number
  }
}

enum Progress {
  static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
