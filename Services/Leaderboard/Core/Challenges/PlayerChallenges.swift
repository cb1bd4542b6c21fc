import Domain
import Operations
import Wire

/// Whose lists, in which game.
struct ChallengeListKey: Hashable {
  var player: PlayerID
  var game: String
}

/// The challenges that a player received and issued in one game, oldest first: see
/// `ChallengeLists`.
struct PlayerChallenges {
  /// Only outstanding ones.
  private(set) var received: [Challenge] = []
  /// All open ones and the newest of the ended ones.
  private(set) var issued: [Challenge] = []

  /// What a change of a challenge does to a list.
  enum Change: Equatable {
    case put
    case remove
    /// The list has a later state already, or never had what ended.
    case none
  }

  /// - Parameter isUndone: the challenge had been completed, which does not hold any more.
  func change(_ challenge: Challenge, of player: PlayerID, isUndone: Bool = false) -> Change {
    let known = (challenge.receiver == player ? received : issued).find(challenge).known
    if known == challenge { return .none }
    if let known, !known.state.isOpen, !isUndone { return .none }
    if challenge.receiver == player && !challenge.state.isOpen {
      return known == nil ? .none : .remove
    }
    return .put
  }

  var isEmpty: Bool { received.isEmpty && issued.isEmpty }

  mutating func put(_ challenge: Challenge, of player: PlayerID) {
    if challenge.receiver == player { received.put(challenge) } else { issued.put(challenge) }
  }

  mutating func remove(_ challenge: Challenge, of player: PlayerID) {
    if challenge.receiver == player { received.remove(challenge) } else { issued.remove(challenge) }
  }

  /// The oldest ended challenge once there are more than are kept.
  var surplus: Challenge? {
    let endedCount = issued.count { !$0.state.isOpen }
    guard endedCount > LeaderboardLimits.endedChallengesKeptMax else { return nil }
    return issued.first { !$0.state.isOpen }
  }
}

extension [Challenge] {
  /// Where the challenge stands or would stand, and as what the list has it now.
  fileprivate func find(_ challenge: Challenge) -> (place: Int, known: Challenge?) {
    let place = sortedCount { $0.place < challenge.place }
    return (place, place < count && self[place].id == challenge.id ? self[place] : nil)
  }

  fileprivate mutating func put(_ challenge: Challenge) {
    let (place, known) = find(challenge)
    if known == nil { insert(challenge, at: place) } else { self[place] = challenge }
  }

  fileprivate mutating func remove(_ challenge: Challenge) {
    let (place, known) = find(challenge)
    if known != nil { remove(at: place) }
  }
}

extension Challenge {
  /// Its place in a list, by date and then by id.
  var place: PageCursor<ChallengeKind> { PageCursor(time: issueDate, id: id) }
}
