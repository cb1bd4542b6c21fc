import BenchMachine
import BenchPlayers
import MusterKit
import ServiceKit

/// Plays many clients of MusterKit in one process, as bots do: each asks for a player's rank, waits
/// for the answer, and asks again. Prints what it counted as a line of JSON, with the keys of
/// `Baseline/frame_load.c`.
@main
enum ClientMain {
  static func main() async throws {
    guard let plan = ClientPlan(Array(CommandLine.arguments.dropFirst())) else {
      Machine.fail(ClientPlan.usage, code: 2)
    }
    let credential = try await plan.serverCredential()
    let clients = (0..<plan.connections).map { _ in MusterClient(plan.configuration) }
    // A few at a time: a handshake takes a millisecond of the gateway.
    for start in stride(from: 0, to: clients.count, by: 16) {
      try await withThrowingTaskGroup { group in
        for client in clients[start..<min(start + 16, clients.count)] {
          group.addTask {
            _ = try await client.signInGameServer(game: plan.game, credential: credential)
          }
        }
        try await group.waitForAll()
      }
    }
    // Warm, and past what a client needs once.
    _ = try await play(clients, plan, seconds: 1)
    let before = Machine.processorTime
    let began = ContinuousClock.now
    let histogram = try await play(clients, plan, seconds: plan.seconds)
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let used = (Machine.processorTime - before) / 1e9
    print(
      line([
        ("operations", "\(histogram.count)"), ("seconds", figure(seconds)),
        ("ops_per_second", figure(Double(histogram.count) / seconds)),
        ("p50_us", "\(histogram.quantile(0.5))"), ("p99_us", "\(histogram.quantile(0.99))"),
        ("cpu_seconds", figure(used)), ("resident_bytes", "\(Machine.residentBytes)"),
      ]))
  }

  private static func play(_ clients: [MusterClient], _ plan: ClientPlan, seconds: Int)
    async throws -> Histogram
  {
    let end = ContinuousClock.now + .seconds(seconds)
    return try await withThrowingTaskGroup { group in
      for (number, client) in clients.enumerated() {
        group.addTask { try await play(client, plan, from: number, until: end) }
      }
      return try await group.reduce(into: Histogram()) { $0.add($1) }
    }
  }

  private static func play(
    _ client: MusterClient, _ plan: ClientPlan, from number: Int, until end: ContinuousClock.Instant
  ) async throws -> Histogram {
    var histogram = Histogram()
    var random = SplitMix()
    for _ in 0..<number { _ = random.next() }
    var began = ContinuousClock.now
    while began < end {
      var question = RankOfPlayer()
      question.board = plan.board
      question.player = FilledBoard.player(Int(random.below(UInt64(plan.players))))
      _ = try await client.call(question)
      let now = ContinuousClock.now
      histogram.record(UInt64((now - began) / .microseconds(1)))
      began = now
    }
    return histogram
  }
}
