import Domain
import LeaderboardCore
import Operations
import Wire

/// `bench-rerank PLAYERS`: turns a board's order around and prints, as a line of JSON, how many steps
/// that takes and how long they are, those included in which the old ranking is let go of.
///
/// The core alone, without a store: what a step keeps the loop from others. Between two steps a score
/// is submitted, as on a board that goes on.
@main
enum ReRankMain {
  static func main() throws {
    guard let players = CommandLine.arguments.dropFirst().first.flatMap({ UInt64($0) }), players > 0
    else {
      print("usage: bench-rerank PLAYERS")
      return
    }
    let trial = ReRankTrial(players: players)
    try trial.load()
    try trial.run()
  }
}
