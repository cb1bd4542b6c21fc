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
}
