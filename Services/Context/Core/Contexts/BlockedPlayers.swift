import Domain
import Operations
import Wire

/// A block keeps two players apart, whichever of the two has made it. It is asked for at the
/// blocker's own key, where it holds from when it was acknowledged.
extension Call {
  /// Whether a block keeps the caller apart from any of the others: a few bytes of each of them.
  func isCallerApart(from others: [PlayerID]) throws(Stop) -> Bool {
    if others.isEmpty { return false }
    let own = try fact(FetchBlocks.self).blocked
    let answers = try facts(FetchPlayer.self, at: others)
    return !answers.allSatisfy(\.isReachable) || own.contains { others.contains($0) }
  }

  /// Which of the players a block keeps apart from any of the others, as the others' lists say.
  ///
  /// It takes whole lists, because nobody else can ask in another's name. Where these are too long
  /// for a call, the gateway refuses it.
  func blocked(_ players: [PlayerID], by others: [PlayerID]) throws(Stop) -> Set<PlayerID> {
    let players = players.filter { !others.contains($0) }
    if players.isEmpty || others.isEmpty { return [] }
    var blocked: Set<PlayerID> = []
    for list in try facts(FetchBlocks.self, at: others) {
      blocked.formUnion(list.blocked.filter { players.contains($0) })
    }
    return blocked
  }

  /// Whether a block keeps another player than the caller apart from any of the others.
  func isApart(_ player: PlayerID, from others: [PlayerID]) throws(Stop) -> Bool {
    let lists = try facts(FetchBlocks.self, at: others + [player])
    return lists.dropLast().contains { $0.blocked.contains(player) }
      || lists.last?.blocked.contains { others.contains($0) } == true
  }
}
