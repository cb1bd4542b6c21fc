import Domain
import Operations
import Wire

// A context as it is told: to those in it, and in their lists.

extension ContextRow {
  var info: ContextInfo { info(of: players) }

  /// What a player's list and notices to the player hold: of constant size, whatever the context's.
  func summary(for player: PlayerID) -> ContextInfo {
    guard players.count > ContextLimits.summaryPlayersMax else { return info }
    let own = players.filter { $0.player == player }
    let others = present.lazy.filter { $0.player != player }
    return info(of: own + others.prefix(ContextLimits.summaryPlayersMax - own.count))
  }

  /// What everybody's list shows of a group, so that all are told when it changes. The number of
  /// challenges is not told each time; lists show whether there are any.
  var shownToAll: ContextInfo {
    var info = info(of: Array(present.prefix(ContextLimits.summaryPlayersMax)))
    info.lastActiveAt = 0
    info.openChallenges = min(info.openChallenges, 1)
    return info
  }

  private func info(of players: [ContextPlayer]) -> ContextInfo {
    var info = ContextInfo()
    info.context = key
    info.generation = generation
    info.form = form
    let present = present
    info.size = UInt32(present.count)
    info.players = players
    info.createdAt = createdAt
    info.lastActiveAt = lastActiveAt
    info.hasPlayed = hasPlayed
    info.name = name
    info.sizeMax = sizeMax
    info.policy = policy
    info.openChallenges = boards.reduce(0) { $0 &+ $1.openChallenges }
    info.newPlayers = UInt32(present.count { $0.isNew })
    return info
  }

  /// All that the player may know.
  func details(for player: PlayerID, match: MatchRow?) -> ContextInfo {
    var details = ContextDetails()
    if form == .group && GroupRoles.mayModerate(role(of: player)) {
      details.requests = requests
      details.link = link
    }
    details.boards = boards.map { LinkedBoard($0.board, openChallenges: $0.openChallenges) }
    if let match {
      details.matchNumber = match.number
      details.isMatchRunning = !match.isEnded && match.generation == generation
    }
    var info = info
    info.details = details
    return info
  }
}

extension ContextInfo {
  /// What strangers to a group may know of it: neither its players nor its challenges.
  var forOutsiders: ContextInfo {
    var info = self
    (info.players, info.openChallenges, info.newPlayers) = ([], 0, 0)
    return info
  }
}
