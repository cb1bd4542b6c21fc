import Foundation
import KillRounds
import MusterKit
import Operations
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
      #expect(await undisturbed.ended() == 0, "\(undisturbed.errors)\n\(undisturbed.output)")
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

    /// The store is a day older than what it has told the others, and counts its batches from there
    /// again. What it tells them now is not what they have heard.
    @Test("7.1 a service whose store was put back from a backup is heard by the others")
    func restored() async throws {
      try await withStack { stack in
        let anna = try await stack.player("Anna")
        let ben = try await stack.player("Ben")
        try await befriend(anna, ben)
        let name = "context/1"
        let data = stack.directory.appendingPathComponent("data/\(name)")
        let backup = stack.directory.appendingPathComponent("backup")
        try await stop(name, of: stack)
        try FileManager.default.copyItem(at: data, to: backup)
        try await stack.start(name)
        var events = ben.client.events.makeAsyncIterator()
        try await expectInvitation(of: anna.client, to: ben.1.player, &events)
        try await stop(name, of: stack)
        try FileManager.default.removeItem(at: data)
        try FileManager.default.copyItem(at: backup, to: data)
        try await stack.markRestored([name])
        try await stack.start(name)
        try await expectInvitation(of: anna.client, to: ben.1.player, &events)
        await anna.client.close()
        await ben.client.close()
      }
    }

    private func stop(_ name: String, of stack: Stack) async throws {
      let process = try await stack.process(name)
      process.signal(SIGTERM)
      #expect(await process.ended() == 0)
    }

    /// Makes the pair's context, of which the other player is told by an effect.
    private func expectInvitation(
      of client: MusterClient, to player: PlayerID, _ events: inout PlayerEvents.Iterator
    ) async throws {
      let made = try await client.createContext(with: player)
      while let event = await events.next() {
        guard let invitation = event.decode(ContextInvitation.self) else { continue }
        #expect(invitation.info.createdAt == made.createdAt)
        return
      }
      Issue.record("the events have ended")
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
