import BenchPlayers
import BenchStack
import Foundation
import KillRounds
import Operations
import Stack

/// A large board is ranked anew on a real deployment while others play on it and on another board;
/// then once more, and in the middle of that the service is killed. After each, ranks are compared
/// with those that follow from everybody's scores.
package final class ReRankSoak {
  /// How long to wait after a re-rank: the steps that release the old ranking go on when the new
  /// one is in its place.
  private static let restSeconds = 1
  /// A re-rank of a small board may have ended before its process dies: then another one follows.
  private static let killsMax = 10
  private static let tellingPause: Duration = .seconds(10)

  private let options: ReRankOptions
  private let stack: Stack
  private let client: BoardClient
  private let tell: @Sendable (String) -> Void
  private var random: SeededRandom
  private var order = ScoreOrder.highFirst
  /// The acknowledged scores of each mover, in the order in which they were submitted.
  private var attempts: [Int: [Int64]] = [:]
  private var submissions = 0
  private var report = ReRankReport()

  private init(
    _ options: ReRankOptions, _ stack: Stack, _ client: BoardClient,
    _ tell: @escaping @Sendable (String) -> Void
  ) {
    self.options = options
    self.stack = stack
    self.client = client
    self.tell = tell
    random = SeededRandom(seed: options.seed)
  }

  // MARK: All of it

  package static func run(_ options: ReRankOptions, _ tell: @escaping @Sendable (String) -> Void)
    async throws -> ReRankReport
  {
    tell("  seed \(options.seed)")
    let filled = try await FilledStack(
      [
        .init(players: options.players),
        .init(ReRankLoad.otherBoard, players: options.otherPlayers),
      ], keepsAttempts: options.keepsAttempts, tell: tell)
    defer { filled.remove() }
    let stack = try filled.stack()
    do {
      try await stack.start()
      let client = try await BoardClient.connect(stack, board: FilledStack.board)
      let soak = ReRankSoak(options, stack, client, tell)
      try await soak.measure()
      try await soak.check()
      try await soak.killInTheMiddle()
      try await soak.check()
      await client.close()
      await stack.stop()
      return soak.report
    } catch {
      await stack.stop()
      throw error
    }
  }

  // MARK: Others during a re-rank

  private func measure() async throws {
    let load = ReRankLoad(options, stack)
    let quiet = try await load.during {
      let end = ContinuousClock.now + .seconds(options.quietSeconds)
      _ = try await play { _ in ContinuousClock.now >= end }
    }
    ReRankLoad.describe(quiet, "without a re-rank").forEach(tell)
    let loud = try await load.during {
      let began = ContinuousClock.now
      try await reRank()
      tell("  re-rank of \(options.players) players under load: \(ContinuousClock.now - began)")
      let end = ContinuousClock.now + .seconds(Self.restSeconds)
      _ = try await play { _ in ContinuousClock.now >= end }
    }
    ReRankLoad.describe(loud, "during the re-rank").forEach(tell)
    for (before, now) in zip(quiet, loud) {
      report.operations += now.figures.operations
      let ratio = now.figures.p99_us / max(1, before.figures.p99_us)
      tell("  \(now.board): p99 of others \(String(format: "%.2f", ratio)) times that without")
    }
  }

  /// Begins to rank the board by the other order.
  private func begin() async throws -> ReRankProgress {
    order = order == .lowFirst ? .highFirst : .lowFirst
    return try await client.reRank(to: order, options.keepsAttempts ? .best : nil)
  }

  /// Ranks the board by the other order, and plays until it is.
  private func reRank() async throws {
    let number = try await begin().number
    _ = try await play { $0.map { $0.number == number && $0.endDate != nil } ?? false }
  }

  /// Submits known scores, one after the other, until the board's re-rank is as wanted.
  private func play(until isDone: (ReRankProgress?) -> Bool) async throws -> ReRankProgress? {
    var told = ContinuousClock.now
    while true {
      let progress = try await client.progress()
      if isDone(progress) { return progress }
      if let progress, progress.endDate == nil, ContinuousClock.now - told > Self.tellingPause {
        tell("  \(progress.rankedCount) of \(progress.entryCount) are ranked")
        told = .now
      }
      let number = options.movers.lowerBound + submissions % options.movers.count
      // No two numbers have one value, and none of these is a player's.
      let value = FilledBoard.value(options.players + submissions)
      try await client.submit(value, of: number)
      attempts[number, default: []].append(value)
      submissions += 1
    }
  }

  // MARK: Death

  private func killInTheMiddle() async throws {
    for _ in 1...Self.killsMax {
      if try await kill() { return }
      tell("  the re-rank had ended before the process died: once more")
    }
    throw BenchFailure("No re-rank was under way when its process was killed.")
  }

  /// Kills the service in the middle of a re-rank, and waits until it is through with it; false
  /// when it was before.
  private func kill() async throws -> Bool {
    let number = try await begin().number
    let reached = try await play { progress in
      guard let progress, progress.endDate == nil else { return true }
      return progress.rankedCount * 3 > progress.entryCount
    }
    let deployment = stack
    try await deployment.kill(FilledStack.service)
    let killDate = Date()
    async let ready = Self.start(deployment)
    let ended = try await play { $0.map { $0.number == number && $0.endDate != nil } ?? false }
    let total = Date().timeIntervalSince(killDate)
    let readySeconds = try await ready
    guard let reached, let endDate = ended?.endDate,
      endDate > Int64(killDate.timeIntervalSince1970 * 1000)
    else { return false }
    tell(
      String(
        format: "  killed with %d of %d ranked: ready after %.1f s, ranked anew after %.1f s",
        reached.rankedCount, reached.entryCount, readySeconds, total))
    return true
  }

  /// Starts the service and returns how many seconds passed until it was ready.
  private static func start(_ stack: Stack) async throws -> Double {
    let began = Date()
    try await stack.start(FilledStack.service)
    return Date().timeIntervalSince(began)
  }

  // MARK: Ranks

  /// What the board's rule makes of a mover's attempts.
  private func score(of number: Int, _ attempts: [Int64]) -> Int64 {
    let filled = FilledBoard.value(number)
    guard options.keepsAttempts else { return attempts.last ?? filled }
    return attempts.reduce(filled) { order == .lowFirst ? min($0, $1) : max($0, $1) }
  }

  private func check() async throws {
    let still = options.still
    var asked = Set<Int>()
    while asked.count < options.stillAsked { asked.insert(.random(in: still, using: &random)) }
    let standings = try await client.standings(
      of: asked.sorted() + options.movers + options.writers)
    let moved = Dictionary(
      uniqueKeysWithValues: attempts.map { ($0, score(of: $0, $1)) })
    let check = RankCheck(options, standings, order, moved: moved)
    let (violations, canary) = (check.violations(), check.canary())
    tell(
      "  \(standings.count) of \(options.players) ranks compared after \(submissions) known "
        + "submissions: \(violations.count) wrong; were those of one player lost, \(canary)")
    report.asked += standings.count
    report.violations += violations
    report.canaries.append(canary)
  }
}
