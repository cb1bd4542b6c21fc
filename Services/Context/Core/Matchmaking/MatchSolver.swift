import Operations

/// Chooses a match out of a few candidates that each fit the ticket it is for: the one with the
/// oldest, of those the one with the second oldest, and so on.
///
/// It tries with each candidate before it tries without, so its first solution is the one wanted.
/// The number of its steps is bounded; it goes straight to a solution where candidates fit each
/// other, and gives up early where the rest cannot make up the size or the attributes.
struct MatchSolver {
  struct Candidate {
    var slot: Int32
    var arrival: UInt64
    var number: Int64
    var tolerance: UInt64?
    var shape: PoolTicket.Shape
  }

  /// What has been chosen so far amounts to.
  struct State {
    var players: Int
    var least: Int
    var most: Int
    var attributes: UInt32
    var hasBackfill: Bool

    init(_ shape: PoolTicket.Shape) {
      players = Int(shape.playerCount)
      least = Int(shape.minPlayers)
      most = Int(shape.maxPlayers)
      attributes = shape.attributes
      hasBackfill = shape.isBackfill
    }

    /// Whether attributes make up all ones, or none are there.
    static func areWhole(_ attributes: UInt32) -> Bool { attributes == 0 || attributes == .max }

    var isMatch: Bool { players >= least && Self.areWhole(attributes) }

    func adding(_ shape: PoolTicket.Shape) -> State? {
      var sum = self
      sum.players += Int(shape.playerCount)
      sum.least = max(least, Int(shape.minPlayers))
      sum.most = min(most, Int(shape.maxPlayers))
      sum.attributes |= shape.attributes
      sum.hasBackfill = hasBackfill || shape.isBackfill
      let isBoth = hasBackfill && shape.isBackfill
      return sum.players <= sum.most && sum.least <= sum.most && !isBoth ? sum : nil
    }
  }

  /// Steps of one search, which take some 100 µs.
  static let stepsMax = 4_000

  /// The oldest first.
  let candidates: [Candidate]
  private(set) var chosen: [Int] = []
  private var steps = Self.stepsMax
  /// Of all candidates from a place on.
  private var playersFrom: [Int]
  private var attributesFrom: [UInt32]
  private let bitsMax: Int

  init(_ candidates: [Candidate]) {
    self.candidates = candidates
    playersFrom = [0]
    attributesFrom = [0]
    for candidate in candidates.reversed() {
      playersFrom.append(playersFrom[playersFrom.count - 1] + Int(candidate.shape.playerCount))
      attributesFrom.append(
        attributesFrom[attributesFrom.count - 1] | candidate.shape.attributes)
    }
    playersFrom.reverse()
    attributesFrom.reverse()
    bitsMax = candidates.map(\.shape.attributes.nonzeroBitCount).max() ?? 0
  }

  /// Chooses from the candidates at `place` and after it; false when no match comes of it.
  mutating func solve(from place: Int = 0, _ state: State, in pool: Pool) -> Bool {
    steps -= 1
    if steps < 0 || isHopeless(place, state) { return false }
    if place == candidates.count { return !chosen.isEmpty && state.isMatch }
    if let sum = state.adding(candidates[place].shape), fits(place, in: pool) {
      chosen.append(place)
      if solve(from: place + 1, sum, in: pool) { return true }
      chosen.removeLast()
    }
    return solve(from: place + 1, state, in: pool)
  }

  private func isHopeless(_ place: Int, _ state: State) -> Bool {
    if state.players + playersFrom[place] < state.least { return true }
    if state.attributes == 0 { return false }
    let missing = (~state.attributes).nonzeroBitCount
    return state.attributes | attributesFrom[place] != .max
      || missing > (state.most - state.players) * bitsMax
  }

  /// Whether a candidate fits those chosen in its number, and nobody blocks anybody.
  private mutating func fits(_ place: Int, in pool: Pool) -> Bool {
    let candidate = candidates[place]
    for other in chosen {
      let other = candidates[other]
      guard
        PoolTicket.areNear(
          (candidate.number, candidate.tolerance), (other.number, other.tolerance))
      else { return false }
      let (one, two) = (pool.hasAvoided(candidate.slot), pool.hasAvoided(other.slot))
      if !one && !two { continue }
      steps -= 16
      if pool.avoid(candidate.slot, other.slot) { return false }
    }
    return true
  }
}

extension Pool {
  func hasAvoided(_ slot: Int32) -> Bool { tickets[Int(slot)]?.avoided.isEmpty == false }

  /// Whether one of two tickets avoids the other.
  func avoid(_ one: Int32, _ other: Int32) -> Bool {
    self[one].avoids(self[other]) || self[other].avoids(self[one])
  }
}
