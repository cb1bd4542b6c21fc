import Operations

/// Finds waiting tickets by what rules ask. Tickets of one aisle have the same declaration, region
/// and words, and so fit each other in these; a shelf of it has those of one shape, in the order of
/// their numbers.
///
/// A ticket stands in an aisle of each region that it may be matched in, and, where any word will
/// do for it, both with its own word and with those for whom any will do: two tickets that fit in
/// their words meet in one of the two, and all of a match in the same one.
struct TicketIndex {
  struct AisleKey: Hashable {
    var version: UInt32
    var region: UInt8
    /// Nil where all in the aisle take any word.
    var words: [String?]
  }

  struct Shelf {
    var shape: PoolTicket.Shape
    var root = TicketTrees.none
  }

  struct Aisle {
    var key: AisleKey
    var shelves: [Shelf] = []
    var places: [PoolTicket.Shape: Int] = [:]
  }

  private(set) var trees = TicketTrees()
  private var places: [AisleKey: Int32] = [:]
  private var aisles: [Aisle] = []
  private var free: [Int32] = []

  subscript(key: AisleKey) -> Aisle? { places[key].map { aisles[Int($0)] } }

  /// The words of the aisles in which a ticket stands.
  static func words(of ticket: PoolTicket) -> [[String?]] {
    var all: [[String?]] = [[]]
    for (word, isAny) in zip(ticket.words, ticket.isAnyWord) {
      all = isAny ? all.map { $0 + [word] } + all.map { $0 + [nil] } : all.map { $0 + [word] }
    }
    return all
  }

  mutating func insert(_ ticket: inout PoolTicket, at slot: Int32, _ random: inout SecretRandom) {
    assert(ticket.entries.isEmpty)
    let key = TicketTrees.Key(number: ticket.number, arrival: ticket.row.arrival)
    for words in Self.words(of: ticket) {
      for region in 0..<UInt8(8) where ticket.regions & (1 << region) != 0 {
        let aisle = aisle(
          AisleKey(version: ticket.rules.version, region: region, words: words))
        let shelf = aisles[Int(aisle)].place(of: ticket.shape)
        let node = trees.insert(
          key, ticket: slot, priority: random.next(),
          into: &aisles[Int(aisle)].shelves[shelf].root)
        ticket.entries.append(.init(aisle: aisle, node: node))
      }
    }
  }

  mutating func remove(_ ticket: inout PoolTicket) {
    for entry in ticket.entries {
      let aisle = Int(entry.aisle)
      guard let shelf = aisles[aisle].places[ticket.shape] else {
        preconditionFailure("a ticket is not on its shelf")
      }
      trees.remove(entry.node, from: &aisles[aisle].shelves[shelf].root)
      if aisles[aisle].shelves[shelf].root >= 0 { continue }
      aisles[aisle].removeShelf(shelf)
      if aisles[aisle].shelves.isEmpty {
        places[aisles[aisle].key] = nil
        free.append(entry.aisle)
      }
    }
    ticket.entries = []
  }

  private mutating func aisle(_ key: AisleKey) -> Int32 {
    if let place = places[key] { return place }
    let place: Int32
    if let reused = free.popLast() {
      place = reused
      aisles[Int(place)] = Aisle(key: key)
    } else {
      place = Int32(aisles.count)
      aisles.append(Aisle(key: key))
    }
    places[key] = place
    return place
  }
}

extension TicketIndex.Aisle {
  fileprivate mutating func place(of shape: PoolTicket.Shape) -> Int {
    if let place = places[shape] { return place }
    places[shape] = shelves.count
    shelves.append(TicketIndex.Shelf(shape: shape))
    return shelves.count - 1
  }

  fileprivate mutating func removeShelf(_ place: Int) {
    places[shelves[place].shape] = nil
    let last = shelves.removeLast()
    if place < shelves.count {
      shelves[place] = last
      places[last.shape] = place
    }
  }
}

/// Priorities that nobody outside can know (SplitMix64 from a secret start).
struct SecretRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
