import Domain
import Operations
import Wire

extension Transaction {
  /// Has players know that they have met: each of `players` the others.
  ///
  /// - Parameter newcomer: who comes to others who have met already; nil where all are new to each
  ///   other.
  mutating func recordMeeting(of players: [PlayerID], newcomer: PlayerID? = nil, game: String) {
    let told = players.suffix(RecentPlayerLimits.toldMax)
    for player in told + (newcomer.map { [$0] } ?? []) {
      let others = player == newcomer ? Array(told) : newcomer.map { [$0] } ?? Array(told)
      var news = RecordRecentPlayers()
      news.player = player
      news.others = others.filter { $0 != player }
      news.time = now
      if !news.others.isEmpty { effect(news, on: player, game: game) }
    }
  }
}
