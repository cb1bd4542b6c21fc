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
      session.output.show(try await tour.play())
    }
  }
}

/// A step of the tour that did not come out as it must.
struct TourFailure: Error, CustomStringConvertible {
  var description: String
}
