import Foundation
import KillRounds
import Stack
import Transport

/// A deployment is brought to another build, one process at a time and under load, and back again.
/// At the end everything that was acknowledged must be there, once.
package enum UpgradeSoak {
  package static func run(
    _ options: UpgradeOptions, _ tell: @escaping @Sendable (String) -> Void
  ) async throws -> UpgradeReport {
    tell("  seed \(options.seed), from \(options.older.folder.path)")
    var report = UpgradeReport()
    for order in options.orders {
      tell("  \(order.rawValue)")
      var stackOptions = Stack.Options(partitions: options.partitions)
      stackOptions.gateways = options.gateways
      stackOptions.programs = options.older
      let stack = try Stack(stackOptions)
      do {
        try await stack.start()
        try await run(options, order, on: stack, &report, tell)
        await stack.stop()
      } catch {
        await stack.stop()
        throw error
      }
      if !report.violations.isEmpty { break }
    }
    return report
  }

  private static func run(
    _ options: UpgradeOptions, _ order: UpgradeOrder, on stack: Stack,
    _ report: inout UpgradeReport, _ tell: @escaping @Sendable (String) -> Void
  ) async throws {
    let relay = try CuttingRelay(balancing: stack.gatewayPorts)
    defer { relay.stop() }
    let thread = LoopThread(name: "upgrade")
    let world = try await SoakWorld(
      stack, players: options.players, port: relay.port, on: thread)
    let round = UpgradeRound(
      options, stack, world, try await pairs(world), port: relay.port, tell)
    let before = try round.layouts()
    let names = order.names(of: stack)
    try await round.upgrade(names, &report)
    if options.goesBack, report.violations.isEmpty {
      // No build opens a store with a table or column that it does not know.
      let after = try round.layouts()
      let changed = stack.serviceNames.filter { before[$0] != after[$0] }
      if changed.isEmpty {
        try await round.downgrade(names.reversed(), &report)
      } else {
        tell("  no way back: what the stores of \(changed) are made of has changed")
      }
    }
    round.add(to: &report)
    await world.close()
    thread.stop()
    await thread.stopped()
  }

  /// The first players, two by two.
  private static func pairs(_ world: SoakWorld) async throws -> [TurnPair] {
    var pairs: [TurnPair] = []
    for first in stride(from: 0, to: min(8, world.players.count - 1), by: 2) {
      pairs.append(try await TurnPair.meet(Array(world.players[first...first + 1])))
    }
    return pairs
  }
}
