import Domain
import Operations
import Wire

/// Players whose entries in windows are made anew after other attempts of theirs began to count.
///
/// A round goes over all attempts in the queue, some at a time, and enters those of its players.
/// Whoever comes meanwhile waits for the next round. Until the end no attempt leaves a window, and
/// queries wait. Nothing of it is stored: a start plays all attempts again.
struct WindowRebuild {
  /// Of the round that is under way.
  fileprivate var players: Set<PlayerID> = []
  fileprivate var waiting: Set<PlayerID> = []
  /// The round has looked at the attempts at places before this one.
  fileprivate var place = 0

  var isUnderWay: Bool { !players.isEmpty || !waiting.isEmpty }

  func isOf(_ player: PlayerID) -> Bool { players.contains(player) || waiting.contains(player) }

  fileprivate mutating func beginRound() {
    players = waiting
    waiting = []
    place = 0
  }
}

extension ScoreWindows {
  /// How many attempts a rebuild still has to look at.
  var rebuildLeft: Int {
    let ofRound = rebuild.players.isEmpty ? 0 : endPlace - max(rebuild.place, firstPlace)
    return ofRound + (rebuild.waiting.isEmpty ? 0 : attempts.count)
  }

  /// One attempt does not count any more.
  func void(
    _ arrival: UInt64, of player: PlayerID, _ boardKey: RoutingKey,
    _ transaction: inout Transaction
  ) {
    guard let first = attempts.first, first.arrival <= arrival else { return }
    voided.insert(arrival)
    transaction.remove(
      RecentAttemptRow.self, RecentAttemptKey(boardKey: boardKey, arrival: arrival))
    beginRebuild(of: player)
  }

  /// A player's attempts count from after this arrival on.
  func count(_ player: PlayerID, after floor: UInt64) {
    guard floors[player, default: 0] != floor else { return }
    floors[player] = floor == 0 ? nil : floor
    beginRebuild(of: player)
  }

  private func beginRebuild(of player: PlayerID) {
    for rankings in allRankings { rankings.forget(player) }
    rebuild.players.remove(player)
    rebuild.waiting.remove(player)
    // Where nothing counts, nothing is to be looked for.
    guard !attempts.isEmpty,
      attempts[attempts.count - 1].arrival > floors[player, default: 0]
    else { return }
    rebuild.waiting.insert(player)
  }

  /// Looks at no more attempts than are left to be looked at; true when no rebuild is under way.
  func advanceRebuild(_ left: inout Int) -> Bool {
    while rebuild.isUnderWay {
      if rebuild.players.isEmpty { rebuild.beginRound() }
      let begin = max(rebuild.place, firstPlace)
      let end = min(endPlace, begin + left)
      for place in begin..<end { look(at: place) }
      left -= end - begin
      rebuild.place = end
      guard end == endPlace else { return false }
      rebuild.players = []
    }
    return true
  }

  private func look(at place: Int) {
    let attempt = attempts[place - firstPlace]
    guard rebuild.players.contains(attempt.player) else { return }
    for rankings in allRankings
    where rankings.longest.beginPlace <= place && place < rankings.end {
      enter(attempt, place: place, rankings)
    }
  }
}
