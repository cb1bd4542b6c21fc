import Domain
import Operations
import Wire

/// Whose lists, in which game.
struct ChallengeListKey: Hashable {
  var player: PlayerID
  var game: String
}

/// The challenges that a player received and issued in one game, oldest first: see `ChallengeLists`.
struct PlayerChallenges {
  /// Only outstanding ones.
  private(set) var received: [Challenge] = []
  /// All open ones and the newest of the ended ones.
  private(set) var issued: [Challenge] = []

  /// How a change of a challenge changes a list.
  enum Change: Equatable {
    case put
    case remove
    /// The list has a later state already, or never had what ended.
    case none
  }

  /// - Parameter isUndone: the challenge had been completed, which does not hold any more.
  func change(_ challenge: Challenge, of player: PlayerID, isUndone: Bool = false) -> Change {
    let known = challenge.receiver == player ? find(challenge, received) : find(challenge, issued)
    if known == challenge { return .none }
    if let known, !known.state.isOpen, !isUndone { return .none }
    if challenge.receiver == player && !challenge.state.isOpen {
      return known == nil ? .none : .remove
    }
    return .put
  }

  private func find(_ challenge: Challenge, _ list: [Challenge]) -> Challenge? {
    let place = Self.place(of: ChallengePosition(challenge), in: list)
    return place < list.count && list[place].id == challenge.id ? list[place] : nil
  }

  var isEmpty: Bool { received.isEmpty && issued.isEmpty }

  mutating func put(_ challenge: Challenge, of player: PlayerID) {
    if challenge.receiver == player {
      Self.put(challenge, &received)
    } else {
      Self.put(challenge, &issued)
    }
  }

  mutating func remove(_ challenge: Challenge, of player: PlayerID) {
    if challenge.receiver == player {
      received.removeAll { $0.id == challenge.id }
    } else {
      issued.removeAll { $0.id == challenge.id }
    }
  }

  /// The oldest ended challenge once there are more than are kept.
  var surplus: Challenge? {
    let endedCount = issued.count { !$0.state.isOpen }
    guard endedCount > LeaderboardLimits.endedChallengesKeptMax else { return nil }
    return issued.first { !$0.state.isOpen }
  }

  private static func put(_ challenge: Challenge, _ list: inout [Challenge]) {
    let place = place(of: ChallengePosition(challenge), in: list)
    if place < list.count && list[place].id == challenge.id {
      list[place] = challenge
    } else {
      list.insert(challenge, at: place)
    }
  }

  /// The first place whose challenge is not before `position`.
  static func place(of position: ChallengePosition, in list: [Challenge]) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) >> 1
      if ChallengePosition(list[middle]) < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A challenge's place in a list, by date and then by id, so that it stays when others come and go.
struct ChallengePosition: Comparable {
  var date: Int64
  var id: ChallengeID

  init(_ challenge: Challenge) {
    date = challenge.issueDate
    id = challenge.id
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.date, left.id) < (right.date, right.id)
  }

  var cursor: String { PageCursor(time: date, id: id).text }

  init?(cursor: String) {
    guard let cursor = PageCursor<ChallengeKind>(cursor) else { return nil }
    date = cursor.time
    id = cursor.id
  }
}
