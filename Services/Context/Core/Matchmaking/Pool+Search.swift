import Operations

/// Looking for a match for a ticket that came, or of which a rule has loosened.
///
/// What it costs does not grow with the pool. It looks at shelves, of which there are as many as
/// there are kinds of tickets waiting, and on each asks a tree for the oldest ticket within the
/// numbers that fit. Where hostile clients make kinds without end, it looks at `shelvesMax` of an
/// aisle, those of the ticket's own kind among them, and the promise that the oldest ticket that
/// fits is in the match holds for these.
extension Pool {
  struct Found {
    /// The oldest first.
    var slots: [Int32]
    var region: UInt8
    /// Of the tickets besides the one it was for.
    var arrivals: [UInt64]
  }

  /// Kinds of tickets that a search looks at in an aisle.
  static let shelvesMax = 256
  /// Candidates of a match of many.
  static let candidatesMax = 128
  /// Candidates beyond those that there is room for, because some may not fit each other.
  static let spareCandidates = 8
  /// Looks at trees for one size of a match in one aisle.
  static let looksMax = 1_000

  /// The match that a ticket in the index makes with others; nil when there is none.
  func search(_ slot: Int32) -> Found? {
    let ticket = self[slot]
    var best: Found?
    let words = TicketIndex.words(of: ticket)
    for region in 0..<UInt8(8) where ticket.regions & (1 << region) != 0 {
      for words in words {
        let key = TicketIndex.AisleKey(
          version: ticket.rules.version, region: region, words: words)
        guard let aisle = index[key] else { continue }
        for size in sizes(in: aisle, for: ticket.shape) {
          let found = search(aisle, slot, ticket, atLeast: size)
          if let found, best.map({ found.isOlder(than: $0) }) ?? true { best = found }
        }
      }
    }
    return best
  }

  /// The sizes to try: the ticket's least, and those that tickets ask for that want more.
  private func sizes(in aisle: TicketIndex.Aisle, for shape: PoolTicket.Shape) -> [UInt8] {
    var bits: UInt32 = 1 << UInt32(shape.minPlayers)
    for shelf in aisle.shelves.prefix(Self.shelvesMax)
    where shelf.shape.minPlayers > shape.minPlayers && shelf.shape.minPlayers <= shape.maxPlayers {
      bits |= 1 << UInt32(shelf.shape.minPlayers)
    }
    return (UInt8(2)...16).filter { bits & (1 << UInt32($0)) != 0 }
  }

  private func search(
    _ aisle: TicketIndex.Aisle, _ slot: Int32, _ ticket: PoolTicket, atLeast size: UInt8
  ) -> Found? {
    let state = MatchSolver.State(ticket.shape)
    let shelves = shelves(of: aisle, ticket, state, atLeast: size)
    if shelves.isEmpty { return nil }
    let candidates = candidates(shelves, slot, ticket)
    var solver = MatchSolver(candidates)
    guard solver.solve(state, in: self) else { return nil }
    let others = solver.chosen.map { candidates[$0] }
    var slots = others.map(\.slot)
    slots.insert(slot, at: others.count { $0.arrival < ticket.row.arrival })
    return Found(slots: slots, region: aisle.key.region, arrivals: others.map(\.arrival))
  }

  /// The shelves whose tickets fit the ticket and a match of at least `size`.
  private func shelves(
    of aisle: TicketIndex.Aisle, _ ticket: PoolTicket, _ state: MatchSolver.State,
    atLeast size: UInt8
  ) -> [TicketIndex.Shelf] {
    var union = state.attributes
    var fitting: [TicketIndex.Shelf] = []
    for shelf in lookedAt(aisle, ticket)
    where shelf.shape.minPlayers <= size && shelf.shape.maxPlayers >= size {
      guard let sum = state.adding(shelf.shape),
        sum.players < sum.most || MatchSolver.State.areWhole(sum.attributes)
      else { continue }
      union |= shelf.shape.attributes
      fitting.append(shelf)
    }
    if MatchSolver.State.areWhole(union) { return fitting }
    // Attributes that nobody completes are of no use to those without.
    return state.attributes == 0 ? fitting.filter { $0.shape.attributes == 0 } : []
  }

  private func lookedAt(_ aisle: TicketIndex.Aisle, _ ticket: PoolTicket) -> [TicketIndex.Shelf] {
    if aisle.shelves.count <= Self.shelvesMax { return aisle.shelves }
    var places = Set(0..<Self.shelvesMax)
    for stage in ticket.rules.stages.indices {
      var shape = PoolTicket.shape(ticket.row, ticket.rules, stage)
      let own = shape.attributes
      for attributes in [own, ~own, 0, .max] {
        shape.attributes = attributes
        if let place = aisle.places[shape] { places.insert(place) }
      }
    }
    return places.sorted().map { aisle.shelves[$0] }
  }

  /// A part of a shelf that is not looked at yet, and the oldest ticket in it.
  private struct Part {
    var arrival: UInt64
    var node: Int32
    var shelf: Int
    var range: ClosedRange<TicketTrees.Key>
  }

  /// The oldest tickets of the shelves that fit the ticket, the oldest first.
  private func candidates(_ shelves: [TicketIndex.Shelf], _ slot: Int32, _ ticket: PoolTicket)
    -> [MatchSolver.Candidate]
  {
    var candidates: [MatchSolver.Candidate] = []
    var counts = shelves.map { room(for: $0.shape, beside: ticket.shape) }
    var looks = 0
    var parts: [Part] = []
    for place in shelves.indices {
      let reach = min(
        ticket.tolerance ?? .max,
        ticket.rules.stages[Int(shelves[place].shape.stage)].tolerance ?? .max)
      let numbers = ticket.number.range(within: reach)
      add(
        .init(number: numbers.lowerBound, arrival: 0)
          ... .init(number: numbers.upperBound, arrival: .max), place, shelves, &parts, &looks)
    }
    while candidates.count < Self.candidatesMax, looks < Self.looksMax,
      let oldest = parts.indices.min(by: { parts[$0].arrival < parts[$1].arrival })
    {
      let part = parts[oldest]
      parts.swapAt(oldest, parts.count - 1)
      parts.removeLast()
      let (key, found) = index.trees[part.node]
      let shelf = shelves[part.shelf]
      if found != slot && !(avoid(found, slot)) {
        candidates.append(
          .init(
            slot: found, arrival: key.arrival, number: key.number,
            tolerance: ticket.rules.stages[Int(shelf.shape.stage)].tolerance,
            shape: shelf.shape))
        counts[part.shelf] -= 1
        if counts[part.shelf] == 0 {
          parts.removeAll { $0.shelf == part.shelf }
          continue
        }
      }
      if part.range.lowerBound < key {
        let end = TicketTrees.Key(number: key.number, arrival: key.arrival - 1)
        add(part.range.lowerBound...end, part.shelf, shelves, &parts, &looks)
      }
      if key < part.range.upperBound {
        let start = TicketTrees.Key(number: key.number, arrival: key.arrival + 1)
        add(start...part.range.upperBound, part.shelf, shelves, &parts, &looks)
      }
    }
    return candidates
  }

  private func add(
    _ range: ClosedRange<TicketTrees.Key>, _ place: Int, _ shelves: [TicketIndex.Shelf],
    _ parts: inout [Part], _ looks: inout Int
  ) {
    looks += 1
    let node = index.trees.oldest(in: range, of: shelves[place].root)
    if node < 0 { return }
    parts.append(
      Part(arrival: index.trees[node].key.arrival, node: node, shelf: place, range: range))
  }

  /// How many tickets of a shelf are candidates: as many as the match has room for. All fit it
  /// alike, so that more are of use only where they may not fit others.
  private func room(for shape: PoolTicket.Shape, beside own: PoolTicket.Shape) -> Int {
    let rest = Int(min(shape.maxPlayers, own.maxPlayers)) - Int(own.playerCount)
    let count = Int(shape.playerCount)
    return rest == count ? 1 : rest / count + Self.spareCandidates
  }
}

extension Pool.Found {
  /// Whether this match has an older ticket at the first place where the two differ.
  fileprivate func isOlder(than other: Pool.Found) -> Bool {
    for (mine, others) in zip(arrivals, other.arrivals) where mine != others {
      return mine < others
    }
    return arrivals.count > other.arrivals.count
  }
}

extension Int64 {
  /// The numbers within a distance.
  fileprivate func range(within distance: UInt64) -> ClosedRange<Int64> {
    let distance = Int64(clamping: distance)
    let (low, isLow) = subtractingReportingOverflow(distance)
    let (high, isHigh) = addingReportingOverflow(distance)
    return (isLow ? .min : low)...(isHigh ? .max : high)
  }
}
