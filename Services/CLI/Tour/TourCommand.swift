import MusterKit

/// `muster tour`: new players go through everything that Muster offers, and each step is checked.
/// If a process is killed and started again meanwhile, the tour only takes longer.
enum TourCommand {
  static let command = Command(
    "tour", "",
    "play everything through with new players, in a game that is declared if need be; exit 0 only "
      + "when all of it worked",
    [
      .init("rounds", "NUMBER", "How many times to play it (default 1)."),
      .init("pace", "MILLISECONDS", "Wait between steps, so that a person can follow (default 0)."),
    ]
  ) { session in
    let rounds = try session.arguments["rounds"].map { try session.integer($0, "--rounds") } ?? 1
    let pace = try session.arguments["pace"].map { try session.integer($0, "--pace") } ?? 0
    // Nobody may be there: that is told within the command's own deadline, not the tour's.
    try await session.asOperator { _ in }
    for round in 1...max(1, rounds) {
      if rounds > 1 { session.output.note("round \(round) of \(rounds)") }
      let tour = Tour(session: session, pace: .milliseconds(pace))
      session.output.show(try await withDeadline(.seconds(300)) { try await tour.play() })
    }
  }
}

/// Runs `body`, and throws when it does not end in time. The body may wait for something that never
/// comes, so it is then left running: the process ends with the failure.
private func withDeadline<Value: Sendable>(
  _ duration: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let (results, result) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
  let work = Task {
    do { result.yield(.success(try await body())) } catch { result.yield(.failure(error)) }
  }
  let clock = Task {
    try await Pause.wait(duration)
    result.yield(.failure(TourFailure(description: "it did not end in \(duration)")))
  }
  defer {
    work.cancel()
    clock.cancel()
  }
  for await first in results { return try first.get() }
  throw CancellationError()
}

/// What went wrong in a step of the tour.
struct TourFailure: Error, CustomStringConvertible {
  var description: String
}
