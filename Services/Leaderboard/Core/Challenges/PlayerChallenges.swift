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
  /// All open ones, and the ones that ended last.
  private(set) var issued: [Challenge] = []
  /// When each ended challenge among the issued ones ended, in milliseconds since 1970.
  private var endedOn: [ChallengeID: Int64] = [:]

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

  /// - Parameter endedOn: does not matter for a challenge that is open.
  mutating func put(_ challenge: Challenge, of player: PlayerID, endedOn: Int64) {
    if challenge.receiver == player { return received.put(challenge) }
    issued.put(challenge)
    self.endedOn[challenge.id] = challenge.state.isOpen ? nil : endedOn
  }

  mutating func remove(_ challenge: Challenge, of player: PlayerID) {
    if challenge.receiver == player { return received.remove(challenge) }
    issued.remove(challenge)
    endedOn[challenge.id] = nil
  }

  /// The challenge that ended first, once more have ended than are kept.
  var surplus: Challenge? {
    guard endedOn.count > LeaderboardLimits.endedChallengesKeptMax else { return nil }
    let first = endedOn.min { ($0.value, $0.key) < ($1.value, $1.key) }
    return issued.first { $0.id == first?.key }
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
