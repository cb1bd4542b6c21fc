import BenchStack
import Foundation
import Stack

/// What an attack takes from 64 players who read ranks, a hundred each in a second, and from the
/// processes that it is made on.
///
/// The attacker runs on this machine too. So each attack is made twice while the same players play:
/// on the C server, where it takes nothing from us but its own share of the two cores and the C
/// server's, and on the gateway. The C server defends itself against nothing: it is no goal, but
/// shows what such a machine is like beside such an attacker.
///
/// A call's time is counted from when it was due, so that a server that stands still is seen.
enum HostileBench {
  private static let roundsMax = 3
  /// The players' p99 beside what can be cut off, of what it is undisturbed.
  private static let slowerMax = 2.0
  /// The share of their calls that players keep beside what cannot be cut off.
  private static let callShareMin = 0.5
  private static let mebibyte = 1_048_576.0
  private static let growthMax = 64.0

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    let attacks = HostileAttack.all.filter {
      options.attack == nil || $0.name == options.attack
    }
    guard !attacks.isEmpty else {
      let names = HostileAttack.all.map(\.name).joined(separator: ", ")
      throw BenchFailure("There is no attack \(options.attack ?? ""); there are \(names).")
    }
    let filled = try await FilledStack([.init(players: HostileTrial.ranked)], tell: Progress.say)
    defer { filled.remove() }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), filled.folder.path])
    for attack in attacks {
      await sheet.part("hostile, \(attack.name)") {
        try await measure(attack, filled, options, sheet)
      }
    }
  }

  private static func measure(
    _ attack: HostileAttack, _ filled: FilledStack, _ options: BenchOptions, _ sheet: BenchSheet
  ) async throws {
    var rounds: [(control: HostileTrial.Side, ours: HostileTrial.Side)] = []
    for _ in 1...min(options.rounds, roundsMax) {
      rounds.append(try await HostileTrial.run(attack, filled, seconds: options.attackSeconds))
    }
    let ours = median(rounds.map(\.ours.beside.p99_us))
    // The players play on us undisturbed twice in a round: each is as good as the other.
    let alone = median(rounds.flatMap { [$0.control.alone.p99_us, $0.ours.alone.p99_us] })
    let control = median(rounds.map(\.control.beside.p99_us))
    try sheet.add(
      BenchCase(
        bench: "hostile", case: "\(attack.name), p99, beside it and alone", unit: "us", ours: ours,
        baseline: alone, ratio: alone / ours),
      BenchCase(
        bench: "hostile", case: "\(attack.name), p99, it on us and on the C server", unit: "us",
        ours: ours, baseline: control, ratio: control / ours),
      cores(
        attack, median(rounds.map(\.ours.serverCores)), median(rounds.map(\.control.serverCores))))
    switch attack.goal {
    case .cutOff: judge(attack, "alone", ours, alone, sheet)
    case .cutOffBesideItsOwnShare:
      // An attack on somebody else makes nobody faster; a moment of the machine's may look so.
      judge(attack, "with it on the C server", ours, max(alone, control), sheet)
    case .fairShare: try addShare(attack, rounds.map(\.ours), sheet)
    }
    try addGrowth(attack, rounds.map(\.ours), sheet)
    let refused = rounds.reduce(0) { $0 + $1.ours.beside.refusedCount }
    if refused > 0 { throw BenchFailure("\(refused) of the players' calls were refused.") }
  }

  /// The gateway serves the players in either case.
  private static func cores(_ attack: HostileAttack, _ ours: Double, _ control: Double) -> BenchCase
  {
    BenchCase(
      bench: "hostile", case: "\(attack.name), cores of the servers, it on us and on the C server",
      unit: "cores", ours: ours, baseline: control, ratio: control / ours)
  }

  private static func judge(
    _ attack: HostileAttack, _ undisturbed: String, _ ours: Double, _ than: Double,
    _ sheet: BenchSheet
  ) {
    sheet.judge(
      .goal, "hostile, p99 of the players beside \(attack.name), times that \(undisturbed),",
      ours / than, slowerMax, isAtLeast: false)
  }

  private static func addShare(
    _ attack: HostileAttack, _ rounds: [HostileTrial.Side], _ sheet: BenchSheet
  ) throws {
    let ours = median(rounds.map(\.beside.ops_per_second))
    let alone = median(rounds.map(\.alone.ops_per_second))
    try sheet.add(
      BenchCase(
        bench: "hostile", case: "\(attack.name), players' calls, beside it and alone",
        unit: "calls/s", ours: ours, baseline: alone, ratio: ours / alone))
    sheet.judge(
      .goal, "hostile, calls of the players beside \(attack.name), of those alone,", ours / alone,
      callShareMin, isAtLeast: true)
  }

  /// Of the process that grew the most, in the worst round.
  private static func addGrowth(
    _ attack: HostileAttack, _ rounds: [HostileTrial.Side], _ sheet: BenchSheet
  ) throws {
    guard let most = rounds.flatMap(\.grown).max(by: { $0.bytes < $1.bytes }) else { return }
    // Nothing at all would pass for not measured.
    let grown = max(0.01, most.bytes / mebibyte)
    try sheet.add(
      BenchCase(
        bench: "hostile", case: "\(attack.name), memory of \(most.name), beside a bound",
        unit: "MiB", ours: grown, baseline: growthMax, ratio: growthMax / grown))
    sheet.judge(
      .bound, "hostile, MiB that \(most.name) has grown by beside \(attack.name)", grown,
      growthMax, isAtLeast: false)
  }
}
