import Foundation
import KillRounds
import Locking
import Stack

/// The load on one deployment, and its processes, which are replaced meanwhile.
struct UpgradeRound: Sendable {
  private let options: UpgradeOptions
  private let stack: Stack
  private let world: SoakWorld
  private let pairs: [TurnPair]
  /// Clients come last: the newer command plays only where all processes are newer.
  private let tours: (older: TourLoad, newer: TourLoad)
  private let tell: @Sendable (String) -> Void
  /// The longest call since the last process was replaced, and of all.
  private let longest = Locked((step: Duration.zero, all: Duration.zero))

  init(
    _ options: UpgradeOptions, _ stack: Stack, _ world: SoakWorld, _ pairs: [TurnPair],
    port: UInt16, _ tell: @escaping @Sendable (String) -> Void
  ) {
    self.options = options
    self.stack = stack
    self.world = world
    self.pairs = pairs
    tours = (
      TourLoad(stack, port: port, options.older), TourLoad(stack, port: port, options.newer)
    )
    self.tell = tell
  }

  func add(to report: inout UpgradeReport) {
    report.counts = report.counts + world.counts
    report.moves += moves
    report.tours += tourCount
    report.longestCall = max(report.longestCall, longest.withLock { $0.all })
  }

  private var moves: Int { pairs.reduce(0) { $0 + $1.moveCount } }
  private var tourCount: Int { tours.older.tours + tours.newer.tours }

  // MARK: Processes are replaced

  /// Replaces the processes, one after the other and under load, and looks at what came of it.
  func upgrade(_ names: [String], _ report: inout UpgradeReport) async throws {
    try await replace(names, by: options.newer, &report)
    if let wrong = try await tours.newer.play() { report.violations.append(wrong) }
  }

  func downgrade(_ names: [String], _ report: inout UpgradeReport) async throws {
    try await replace(names, by: options.older, &report)
  }

  private func replace(
    _ names: [String], by programs: Programs, _ report: inout UpgradeReport
  ) async throws {
    report.violations += try await underLoad {
      var found: [String] = []
      for name in names { found += try await replace(name, by: programs) }
      return found
    }
    report.replaced += names.count
    try await world.settle()
    report.violations += await violations()
    report.canaries.append(await world.canary())
    tell("  all replaced: \(world.counts), \(moves) moves, \(tourCount) tours")
  }

  /// Stops a process, starts it from other programs and waits until it is ready, as the run book
  /// says. Then the load must go on.
  private func replace(_ name: String, by programs: Programs) async throws -> [String] {
    longest.withLock { $0.step = .zero }
    let began = ContinuousClock.now
    let status = try await stack.stop(name)
    let stopped = ContinuousClock.now
    try await stack.start(name, from: programs)
    let ready = ContinuousClock.now
    let before = (calls: world.counts.acknowledged, scores: world.counts.submissions, moves: moves)
    try await Moments.pause(.seconds(options.secondsPerStep))
    let calls = world.counts.acknowledged - before.calls
    tell(
      "  \(name): stopped in \(stopped - began), ready after \(ready - stopped), then \(calls) "
        + "calls; the longest took \(longest.withLock { $0.step })")
    var found: [String] = []
    if status != 0 { found.append("\(name) has ended with \(status) when it was stopped") }
    if world.counts.submissions == before.scores { found.append("no score after \(name)") }
    if moves == before.moves { found.append("no move after \(name)") }
    return found
  }

  /// What the store of each service is made of.
  func layouts() throws -> [String: [String]] {
    var layouts: [String: [String]] = [:]
    for name in stack.serviceNames {
      let file = "data/\(name)/\(name.prefix { $0 != "/" }).tables.sqlite"
      layouts[name] = try StoreLayout.read(stack.directory.appendingPathComponent(file).path)
    }
    return layouts
  }

  // MARK: Load

  /// Runs `body` while everybody plays; returns what was wrong with either.
  private func underLoad(_ body: () async throws -> [String]) async throws -> [String] {
    let isOn = Locked(true)
    var random = SeededRandom(seed: options.seed)
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for index in world.players.indices {
        let seed = random.next()
        group.addTask {
          await act(index, seed) { isOn.withLock { $0 } }
          return nil
        }
      }
      for pair in pairs {
        group.addTask { await pair.play { isOn.withLock { $0 } } }
      }
      group.addTask { try await tours.older.play { isOn.withLock { $0 } } }
      defer { isOn.withLock { $0 = false } }
      var found = try await body()
      isOn.withLock { $0 = false }
      for try await wrong in group { if let wrong { found.append(wrong) } }
      return found
    }
  }

  private func act(_ index: Int, _ seed: UInt64, while isOn: () -> Bool) async {
    var random = SeededRandom(seed: seed)
    let (player, friends) = (world.players[index], world.friends(of: index))
    while isOn() {
      let began = ContinuousClock.now
      await player.act(&random, friends: friends)
      let took = ContinuousClock.now - began
      longest.withLock { $0 = (max($0.step, took), max($0.all, took)) }
    }
  }

  // MARK: What must be so

  private func violations() async -> [String] {
    var found = await world.violations()
    // A client repeats a call whose answer is lost, with the same key, until it knows.
    if world.counts.unknown > 0 {
      found.append("\(world.counts.unknown) calls were given up, and nobody knows of them")
    }
    do {
      for pair in pairs { found += try await pair.violations() }
    } catch {
      found.append("the moves cannot be read: \(error)")
    }
    return found
  }
}
