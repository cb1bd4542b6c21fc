import Operations

/// Chooses a match out of a few candidates that each fit the ticket it is for: the one with the
/// oldest, of those the one with the second oldest, and so on.
///
/// It tries with each candidate as the oldest of the match in turn, and in each try with a
/// candidate before it tries without, so its first solution is the one wanted. After each choice
/// only those are left that fit all who are chosen, and it turns back as soon as they cannot make
/// up the size, the numbers or the attributes. Sets of players whose masks make up all ones cannot
/// be found quickly in every case; so each try has half of the work that is left, and where that
/// runs out it takes what is a match already, or goes on with the next one as the oldest.
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

  /// Candidates by their places, one bit each.
  typealias Places = UInt128
  static let candidatesMax = Places.bitWidth
  /// What a try has at least.
  private static let tryWorkMin = 1_024
  /// Of one choice, with or without its numbers.
  private static let choiceWork = 8

  /// The oldest first.
  let candidates: [Candidate]
  private(set) var chosen: [Int] = []
  /// In the pieces of `SearchWork`.
  private(set) var work = 0
  private var tryEnd = 0
  /// Those that fit a candidate, once it was asked for.
  private var fitting: [Places?]
  private var byPlayerCount: [(count: Int, places: Places)] = []
  private var byAttribute: [Places] = []
  private let bitsMax: Int
  /// The order of the candidates' numbers; empty where any number will do.
  private var byNumber: [Int] = []
  private var reach: UInt64 = 0

  /// - Parameter candidates: at most `candidatesMax`.
  init(_ candidates: [Candidate]) {
    self.candidates = candidates
    fitting = Array(repeating: nil, count: candidates.count)
    bitsMax = candidates.map(\.shape.attributes.nonzeroBitCount).max() ?? 0
    var counts = [Places](repeating: 0, count: 17)
    if bitsMax > 0 { byAttribute = Array(repeating: 0, count: 32) }
    for (place, candidate) in candidates.enumerated() {
      counts[min(16, Int(candidate.shape.playerCount))] |= 1 << Places(place)
      var attributes = candidate.shape.attributes
      while attributes != 0 {
        byAttribute[attributes.trailingZeroBitCount] |= 1 << Places(place)
        attributes &= attributes - 1
      }
    }
    byPlayerCount = counts.enumerated().filter { $0.element != 0 }.map { ($0.offset, $0.element) }
    if candidates.contains(where: { $0.tolerance != nil }) {
      byNumber = candidates.indices.sorted { candidates[$0].number < candidates[$1].number }
      reach = candidates.map { $0.tolerance ?? .max }.max() ?? .max
    }
  }

  /// Chooses a match for a ticket; false when none comes of the candidates, or of the work.
  mutating func solve(_ state: State, in pool: Pool, workMax: Int) -> Bool {
    for place in candidates.indices {
      let left = workMax - work
      if left <= 0 { return false }
      guard let sum = state.adding(candidates[place].shape) else { continue }
      tryEnd = work + min(left, max(Self.tryWorkMin, left / 2))
      chosen = [place]
      let younger = place + 1 < Places.bitWidth ? Places.max << Places(place + 1) : 0
      if extend(sum, younger & those(fitting: place, in: pool), in: pool) { return true }
    }
    return false
  }

  /// Adds to those chosen out of `rest`, who fit them all.
  private mutating func extend(_ state: State, _ rest: Places, in pool: Pool) -> Bool {
    var rest = rest
    while true {
      work += Self.choiceWork
      for (count, places) in byPlayerCount where count > state.most - state.players {
        rest &= ~places
      }
      if rest == 0 || work > tryEnd { return state.isMatch }
      if isHopeless(state, &rest) { return false }
      if rest == 0 { return state.isMatch }
      let next = rest.trailingZeroBitCount
      rest &= rest - 1
      guard let sum = state.adding(candidates[next].shape) else { continue }
      chosen.append(next)
      if extend(sum, rest & those(fitting: next, in: pool), in: pool) { return true }
      chosen.removeLast()
    }
  }

  /// Whether nothing comes of a choice. Leaves in `rest` those of whom something may come.
  private mutating func isHopeless(_ state: State, _ rest: inout Places) -> Bool {
    if state.players < state.least {
      let players = byPlayerCount.reduce(0) { $0 + $1.count * ($1.places & rest).nonzeroBitCount }
      if state.players + players < state.least { return true }
      if !byNumber.isEmpty && isSpread(state, rest) { return true }
    }
    if State.areWhole(state.attributes) { return false }
    let missing = ~state.attributes
    guard let least = byPlayerCount.first(where: { $0.places & rest != 0 })?.count else {
      return true
    }
    let seats = (state.most - state.players) / least
    if missing.nonzeroBitCount > seats * bitsMax { return true }
    var bits = missing
    var completing = rest
    while bits != 0 {
      let those = byAttribute[bits.trailingZeroBitCount] & rest
      if those == 0 { return true }
      completing &= those
      bits &= bits - 1
    }
    if seats == 1 { rest = completing }
    return rest == 0
  }

  /// Whether no part of the numbers that is narrow enough for a match has enough players.
  private mutating func isSpread(_ state: State, _ rest: Places) -> Bool {
    work += candidates.count
    let numbers = chosen.map { candidates[$0].number }
    guard let low = numbers.min(), let high = numbers.max() else { return false }
    var players = state.players
    var start = 0
    for place in byNumber where rest & 1 << Places(place) != 0 {
      players += Int(candidates[place].shape.playerCount)
      let end = max(high, candidates[place].number)
      while true {
        let first = byNumber[start]
        if rest & 1 << Places(first) == 0 {
          start += 1
          continue
        }
        if min(low, candidates[first].number).distanceMagnitude(to: end) <= reach { break }
        if start == byNumber.count - 1 || candidates[first].number >= low { break }
        players -= Int(candidates[first].shape.playerCount)
        start += 1
      }
      if players >= state.least { return false }
    }
    return true
  }

  /// The candidates that fit one in their size and number, and who do not avoid each other.
  private mutating func those(fitting place: Int, in pool: Pool) -> Places {
    if let known = fitting[place] { return known }
    let one = candidates[place]
    let avoids = pool.hasAvoided(one.slot)
    var places: Places = 0
    for (index, other) in candidates.enumerated() where index != place {
      guard
        max(one.shape.minPlayers, other.shape.minPlayers)
          <= min(one.shape.maxPlayers, other.shape.maxPlayers),
        PoolTicket.areNear((one.number, one.tolerance), (other.number, other.tolerance))
      else { continue }
      if avoids || pool.hasAvoided(other.slot) {
        work += 4
        if pool.avoid(one.slot, other.slot) { continue }
      }
      places |= 1 << Places(index)
    }
    work += candidates.count
    fitting[place] = places
    return places
  }
}

extension Pool {
  func hasAvoided(_ slot: Int32) -> Bool { tickets[Int(slot)]?.avoided.isEmpty == false }

  /// Whether one of two tickets avoids the other.
  func avoid(_ one: Int32, _ other: Int32) -> Bool {
    self[one].avoids(self[other]) || self[other].avoids(self[one])
  }
}
