import Foundation
import KillRounds
import ReRankRounds
import Stack
import Testing
import Wire

extension System {
  /// Processes that are killed in the middle of work and started again.
  @Suite struct Kills {
    /// What the tour says at its end, whoever was killed meanwhile.
    static let endState = """
      counter: 53
      ranks:
        - 1. Ben 1100
        - 2. Anna 1000
      """

    @Test(arguments: Service.behindGateway.map { "\($0.name)/1" } + ["gateway"])
    func tour(whileKilled name: String) async throws {
      try await withStack { try await playTour($0, killing: [name]) }
    }

    @Test func tourOnFourPartitions() async throws {
      try await withStack(Stack.Options(partitions: 4)) { stack in
        try await playTour(stack, killing: stack.names)
      }
    }

    /// Plays the tour, and after random steps of it kills one of the processes.
    private func playTour(_ stack: Stack, killing names: [String]) async throws {
      var random = SeededRandom(seed: .random(in: 1 ... .max))
      print("seed \(random.seed)")
      let undisturbed = try Tools.muster(stack, ["tour"])
      #expect(await undisturbed.ended() == 0, "\(undisturbed.errors)")
      let steps = undisturbed.output.split(separator: "\n").filter { $0.contains("✓") }
        .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
      #expect(steps.count > 8)
      let tour = try Tools.muster(stack, ["tour", "--pace", "100"])
      let kills = Set((0..<3).map { _ in Int.random(in: 0..<steps.count - 1, using: &random) })
      for step in kills.sorted() {
        // So many steps were told, and somewhere in the next one the process dies.
        _ = await tour.printed { $0.count { $0 == "✓" } > step }
        try await Moments.pause(.milliseconds(.random(in: 0...150, using: &random)))
        let name = names.randomElement(using: &random) ?? names[0]
        try await stack.kill(name)
        try await stack.start(name)
      }
      #expect(await tour.ended() == 0, "\(tour.errors)\n\(tour.output)")
      #expect(tour.output.contains(Self.endState), "\(tour.output)")
      let state = undisturbed.output.split(separator: "\n").filter { !$0.contains("✓") }
      #expect(tour.output.split(separator: "\n").filter { !$0.contains("✓") } == state)
    }

    /// A few rounds of what `make soak` does for long.
    @Test(arguments: [1, 2])
    func rounds(partitions: Int) async throws {
      var options = SoakOptions()
      options.rounds = 2
      options.secondsPerRound = 2
      options.partitions = partitions
      let report = try await Soak.run(options) { print($0) }
      #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
      #expect(report.acknowledged > 0 && report.kills > 0)
    }

    /// What `make soak` does with ten million players.
    @Test(
      "4.6 a board is ranked anew under load, and again over a death of its service",
      arguments: [false, true])
    func reRank(keepsAttempts: Bool) async throws {
      var options = ReRankOptions()
      options.players = keepsAttempts ? 5_000 : 20_000
      options.keepsAttempts = keepsAttempts
      options.quietSeconds = 1
      let report = try await ReRankSoak.run(options) { print($0) }
      #expect(report.violations.isEmpty, "\(report.violations.prefix(20))")
      #expect(report.canaries.count == 2 && report.isRight)
      #expect(report.asked > 0 && report.operations > 0)
    }
  }
}
