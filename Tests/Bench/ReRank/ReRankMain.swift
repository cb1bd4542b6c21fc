import Domain
import LeaderboardCore
import Operations
import Wire

/// `bench-rerank PLAYERS`: turns a board's order around and prints, as a line of JSON, how many
/// steps that takes and how long they take. The steps that release the old ranking are included.
///
/// It runs the core alone, without a store: it measures for how long a step keeps the loop from
/// other calls. Between two steps a score is submitted, as on a board that is in use.
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
