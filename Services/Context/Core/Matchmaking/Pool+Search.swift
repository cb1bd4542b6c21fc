import Operations

/// Looking for a match for a ticket that came, or of which a rule has loosened.
///
/// What it costs does not grow with the pool, and one search has `SearchWork.most` of work in all,
/// whatever waits; where one call looks for several tickets, they divide it. It takes candidates
/// and has `MatchSolver` choose among them:
///
/// - Each aisle that the ticket stands in is searched by itself, first among those without a mask
///   of attributes, then, where masks are there, among all. Each of these searches has an equal
///   part of the work that is left.
/// - A shelf has tickets of one shape. Of each shelf that fits, the oldest ticket within the
///   numbers that fit is a candidate; then the second oldest of each, and so on, until there are as
///   many as a match has room for, or `MatchSolver.candidatesMax` of all shelves. A flood of one
///   kind so takes no place from others.
///
/// A match of two always has the oldest ticket that fits, and so has a match of more while the
/// shelves that fit are few (sixty-four kinds, and not more candidates than there may be). Beyond
/// these bounds:
///
/// - Of more than `kindsMax` masks it looks at those that add the most of the missing attributes,
///   and at those of the oldest tickets, one half each. It chooses among the first
///   `kindsScannedMax`, or as many as its part of the work allows; later ones are looked at only
///   when they are the ticket's own or the exact rest of it.
/// - Where candidates were cut, it also looks at each size of a match by itself.
/// - When the work runs out, it takes the best match that it has.
extension Pool {
  struct Found {
    /// The oldest first.
    var slots: [Int32]
    var region: UInt8
    /// Of the tickets besides the one it was for.
    var arrivals: [UInt64]
  }

  /// What a search may still do.
  struct SearchWork {
    /// Of one search: two to five milliseconds, which only a queue that was made for it costs. A
    /// piece is a candidate that is looked at; a match of two takes about a hundred.
    static let most = 120_000
    /// A look at a tree, a shelf or a mask.
    static let look = 16
    static let shelf = 4
    static let kind = 3
    var left = Self.most
  }

  /// Masks that a search looks at in an aisle.
  static let kindsMax = 64
  static let kindsScannedMax = 16_384
  /// Shelves that a search looks at in an aisle.
  static let shelvesMax = 1_024
  /// Candidates beyond those that there is room for, because some may not fit each other.
  static let spareCandidates = 8
  /// The match that a ticket in the index makes with others; nil when there is none.
  func search(_ slot: Int32, work most: Int = SearchWork.most) -> Found? {
    let ticket = self[slot]
    var work = SearchWork(left: most)
    var best: Found?
    let aisles = aisles(of: ticket)
    let passes =
      (ticket.shape.attributes == 0 ? aisles.map { ($0, true) } : [])
      + aisles.filter { $0.hasMasks }.map { ($0, false) }
    for (place, (aisle, isPlain)) in passes.enumerated() {
      var share = SearchWork(left: work.left / (passes.count - place))
      work.left -= share.left
      let pass = SearchPass(
        pool: self, aisle: aisle, slot: slot, ticket: ticket, isPlain: isPlain)
      let found = pass.run(&share)
      work.left += share.left
      if let found, best.map({ found.isOlder(than: $0) }) ?? true { best = found }
    }
    assert(work.left > -SearchWork.most / 8, "a search has done too much")
    return best
  }

  private func aisles(of ticket: PoolTicket) -> [TicketIndex.Aisle] {
    var aisles: [TicketIndex.Aisle] = []
    for words in TicketIndex.words(of: ticket) {
      for region in 0..<UInt8(8) where ticket.regions & (1 << region) != 0 {
        let key = TicketIndex.AisleKey(
          version: ticket.rules.version, region: region, words: words)
        if let aisle = index[key] { aisles.append(aisle) }
      }
    }
    return aisles
  }
}

extension TicketIndex.Aisle {
  fileprivate var hasMasks: Bool {
    kinds.count > 2 || kinds.contains { !MatchSolver.State.areWhole($0.attributes) }
  }
}

/// The search in one aisle, among those without masks or among all.
private struct SearchPass {
  let pool: Pool
  let aisle: TicketIndex.Aisle
  let slot: Int32
  let ticket: PoolTicket
  let isPlain: Bool

  /// Tickets of one shelf that are passed over in a row because somebody avoids somebody.
  private static let avoidedMax = 64

  func run(_ work: inout Pool.SearchWork) -> Pool.Found? {
    let shelves = shelves(&work)
    if shelves.isEmpty { return nil }
    var (found, isCut) = search(shelves, &work)
    if !isCut { return found }
    for size in UInt8(2)...16 where work.left > 0 {
      let fitting = shelves.filter { $0.minPlayers <= size && $0.maxPlayers >= size }
      if !fitting.contains(where: { $0.minPlayers == size })
        && size != ticket.shape.minPlayers || fitting.count == shelves.count
      {
        continue
      }
      let other = search(fitting, &work).found
      if let other, found.map({ other.isOlder(than: $0) }) ?? true { found = other }
    }
    return found
  }

  private func search(_ shelves: [ShelfPart], _ work: inout Pool.SearchWork)
    -> (found: Pool.Found?, isCut: Bool)
  {
    let (candidates, isCut) = candidates(shelves, &work)
    if candidates.isEmpty { return (nil, isCut) }
    var solver = MatchSolver(candidates)
    let isSolved = solver.solve(.init(ticket.shape), in: pool, workMax: work.left)
    work.left -= solver.work
    guard isSolved else { return (nil, isCut) }
    let others = solver.chosen.map { candidates[$0] }
    var slots = others.map(\.slot)
    slots.insert(slot, at: others.count { $0.arrival < ticket.row.arrival })
    return (
      Pool.Found(slots: slots, region: aisle.key.region, arrivals: others.map(\.arrival)), isCut
    )
  }

  // MARK: Shelves

  /// The shelves that fit the ticket: the first of each kind, then the second of each, and so on.
  private func shelves(_ work: inout Pool.SearchWork) -> [ShelfPart] {
    let own = MatchSolver.State(ticket.shape)
    var union = own.attributes
    var kinds: [[ShelfPart]] = []
    for place in isPlain ? plainKinds : maskedKinds(&work) {
      var fitting: [ShelfPart] = []
      for shelf in aisle.kinds[place].shelves.prefix(Pool.shelvesMax * 4) where work.left > 0 {
        work.left -= Pool.SearchWork.shelf
        guard let sum = own.adding(shelf.shape),
          sum.players < sum.most || MatchSolver.State.areWhole(sum.attributes)
        else { continue }
        fitting.append(
          ShelfPart(shelf, oldest: pool.index.trees.oldestArrival(of: shelf.root)))
      }
      if fitting.isEmpty { continue }
      union |= aisle.kinds[place].attributes
      kinds.append(fitting.sorted { $0.oldest < $1.oldest })
    }
    if !MatchSolver.State.areWhole(union) { return [] }
    var shelves: [ShelfPart] = []
    for round in 0..<(kinds.map(\.count).max() ?? 0) {
      for kind in kinds where kind.count > round && shelves.count < Pool.shelvesMax {
        shelves.append(kind[round])
      }
    }
    return shelves
  }

  private var plainKinds: [Int] { [0, UInt32.max].compactMap { aisle.places[$0] } }

  private func maskedKinds(_ work: inout Pool.SearchWork) -> [Int] {
    if aisle.kinds.count <= Pool.kindsMax { return Array(aisle.kinds.indices) }
    let own = ticket.shape.attributes
    var places = plainKinds + [own, ~own].compactMap { aisle.places[$0] }
    let half = (Pool.kindsMax - places.count) / 2
    var byBits = [[Int]](repeating: [], count: 33)
    var oldest: [(arrival: UInt64, place: Int)] = []
    // No more than half of the work goes into this.
    let countMax = max(Pool.kindsMax, work.left / 2 / Pool.SearchWork.kind)
    let scanned = aisle.kinds.prefix(min(countMax, Pool.kindsScannedMax))
    work.left -= scanned.count * Pool.SearchWork.kind
    for (place, kind) in scanned.enumerated() {
      let bits = (kind.attributes & ~own).nonzeroBitCount
      if byBits[bits].count < half { byBits[bits].append(place) }
      guard let root = kind.shelves.first?.root else { continue }
      let arrival = pool.index.trees.oldestArrival(of: root)
      if oldest.count == half, let last = oldest.last, last.arrival < arrival { continue }
      let rank = oldest.firstIndex { $0.arrival > arrival } ?? oldest.count
      oldest.insert((arrival, place), at: rank)
      if oldest.count > half { oldest.removeLast() }
    }
    places += oldest.map(\.place)
    places += byBits.reversed().joined().prefix(half)
    var seen = Set<Int>()
    return places.filter { seen.insert($0).inserted }
  }

  // MARK: Candidates

  /// The oldest of each shelf, then the second oldest of each, and so on; and whether some were
  /// left out for want of places. In the end the oldest come first.
  private func candidates(_ shelves: [ShelfPart], _ work: inout Pool.SearchWork)
    -> (candidates: [MatchSolver.Candidate], isCut: Bool)
  {
    var candidates: [MatchSolver.Candidate] = []
    var open = shelves
    for place in open.indices where work.left > 0 {
      let reach = min(
        ticket.tolerance ?? .max,
        ticket.rules.stages[Int(open[place].shape.stage)].tolerance ?? .max)
      let numbers = ticket.number.range(within: reach)
      open[place].room = room(for: open[place].shape, isNumbered: reach != .max)
      add(
        .init(number: numbers.lowerBound, arrival: 0)
          ... .init(number: numbers.upperBound, arrival: .max), &open[place], &work)
    }
    var isCut = work.left <= 0
    while !isCut {
      open.removeAll { $0.parts.isEmpty || $0.room == 0 }
      if open.isEmpty { break }
      for place in open.indices {
        if candidates.count == MatchSolver.candidatesMax || work.left <= 0 {
          isCut = true
          break
        }
        if let next = next(&open[place], &work) { candidates.append(next) }
      }
    }
    candidates.sort { $0.arrival < $1.arrival }
    return (candidates, isCut)
  }

  /// The oldest ticket of a shelf that was not looked at yet; nil when there is none, or when many
  /// in a row avoid the ticket.
  private func next(_ shelf: inout ShelfPart, _ work: inout Pool.SearchWork)
    -> MatchSolver.Candidate?
  {
    for _ in 0..<Self.avoidedMax where work.left > 0 {
      let places = shelf.parts.indices
      guard
        let oldest = places.min(by: { shelf.parts[$0].arrival < shelf.parts[$1].arrival })
      else { return nil }
      let part = shelf.parts[oldest]
      shelf.parts.swapAt(oldest, shelf.parts.count - 1)
      shelf.parts.removeLast()
      work.left -= shelf.parts.count / 4
      let (key, found) = pool.index.trees[part.node]
      if part.range.lowerBound < key {
        let end = TicketTrees.Key(number: key.number, arrival: key.arrival - 1)
        add(part.range.lowerBound...end, &shelf, &work)
      }
      if key < part.range.upperBound {
        let start = TicketTrees.Key(number: key.number, arrival: key.arrival + 1)
        add(start...part.range.upperBound, &shelf, &work)
      }
      if found == slot || pool.avoid(found, slot) { continue }
      shelf.room -= 1
      return .init(
        slot: found, arrival: key.arrival, number: key.number,
        tolerance: ticket.rules.stages[Int(shelf.shape.stage)].tolerance, shape: shelf.shape)
    }
    return nil
  }

  private func add(
    _ range: ClosedRange<TicketTrees.Key>, _ shelf: inout ShelfPart,
    _ work: inout Pool.SearchWork
  ) {
    work.left -= Pool.SearchWork.look
    let node = pool.index.trees.oldest(in: range, of: shelf.root)
    if node < 0 { return }
    let arrival = pool.index.trees[node].key.arrival
    shelf.parts.append(.init(arrival: arrival, node: node, range: range))
  }

  /// How many tickets of a shelf are candidates. All fit the ticket, so as many as the match has
  /// room for are enough where they fit each other. Where numbers are compared, those below the
  /// ticket's and those above it may not; but so many on one side are a match by themselves.
  private func room(for shape: PoolTicket.Shape, isNumbered: Bool) -> Int {
    let rest = Int(min(shape.maxPlayers, ticket.shape.maxPlayers)) - Int(ticket.shape.playerCount)
    let count = Int(shape.playerCount)
    if rest == count { return 1 }
    return rest / count * (isNumbered ? 2 : 1) + Pool.spareCandidates
  }
}

/// A shelf, and what of it has not been looked at yet.
private struct ShelfPart {
  struct Part {
    var arrival: UInt64
    /// Of the oldest ticket in it.
    var node: Int32
    var range: ClosedRange<TicketTrees.Key>
  }

  let shape: PoolTicket.Shape
  let root: Int32
  let oldest: UInt64
  var room = 0
  var parts: [Part] = []

  init(_ shelf: TicketIndex.Shelf, oldest: UInt64) {
    shape = shelf.shape
    root = shelf.root
    self.oldest = oldest
  }

  var minPlayers: UInt8 { shape.minPlayers }
  var maxPlayers: UInt8 { shape.maxPlayers }
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
