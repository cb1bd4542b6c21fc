import MusterKit

/// `muster tour`: real players go through all that Muster offers, and every step is checked. Killing
/// and restarting any of its processes meanwhile changes nothing but the time it takes.
enum TourCommand {
  static let command = Command(
    "tour", "", "play everything through with new players; exit 0 only when all of it worked",
    [
      .init("rounds", "NUMBER", "How many times to play it (default 1)."),
      .init("pace", "MILLISECONDS", "Wait between steps, so that a person can follow (default 0)."),
    ]
  ) { session in
    let rounds = try session.arguments["rounds"].map { try session.integer($0, "--rounds") } ?? 1
    let pace = try session.arguments["pace"].map { try session.integer($0, "--pace") } ?? 0
    for round in 1...max(1, rounds) {
      if rounds > 1 { session.output.note("round \(round) of \(rounds)") }
      let tour = Tour(session: session, pace: .milliseconds(pace))
      session.output.show(try await withDeadline(.seconds(300)) { try await tour.play() })
    }
  }
}

/// Ends with a failure when `body` does not end in time. What it waits for may never come, so it is
/// not waited for either: the process ends with the failure.
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

/// A step of the tour that did not come out as it must.
struct TourFailure: Error, CustomStringConvertible {
  var description: String
}
