import Domain
import Operations

/// Finds waiting tickets by what rules ask. Tickets of one aisle have the same declaration, region
/// and words, and so fit each other in these; a shelf of it has those of one shape, in the order of
/// their numbers. Shelves of one mask of attributes stand together as a kind, so that a flood of
/// masks is in nobody's way who has none.
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

  /// The shelves of one mask.
  struct Kind {
    var attributes: UInt32
    var shelves: [Shelf] = []
    fileprivate var places: [PoolTicket.Shape: Int] = [:]
  }

  struct Aisle {
    var key: AisleKey
    var kinds: [Kind] = []
    /// By mask.
    var places: [UInt32: Int] = [:]
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

  mutating func insert(_ ticket: inout PoolTicket, at slot: Int32, _ random: inout RandomSource) {
    assert(ticket.entries.isEmpty)
    let key = TicketTrees.Key(number: ticket.number, arrival: ticket.row.arrival)
    for words in Self.words(of: ticket) {
      for region in 0..<UInt8(8) where ticket.regions & (1 << region) != 0 {
        let aisle = aisle(
          AisleKey(version: ticket.rules.version, region: region, words: words))
        let kind = aisles[Int(aisle)].place(of: ticket.shape.attributes)
        let shelf = aisles[Int(aisle)].kinds[kind].place(of: ticket.shape)
        let node = trees.insert(
          key, ticket: slot, priority: random.next(),
          into: &aisles[Int(aisle)].kinds[kind].shelves[shelf].root)
        ticket.entries.append(.init(aisle: aisle, node: node))
      }
    }
  }

  mutating func remove(_ ticket: inout PoolTicket) {
    for entry in ticket.entries {
      let aisle = Int(entry.aisle)
      guard let kind = aisles[aisle].places[ticket.shape.attributes],
        let shelf = aisles[aisle].kinds[kind].places[ticket.shape]
      else { preconditionFailure("a ticket is not on its shelf") }
      trees.remove(entry.node, from: &aisles[aisle].kinds[kind].shelves[shelf].root)
      if aisles[aisle].kinds[kind].shelves[shelf].root >= 0 { continue }
      aisles[aisle].kinds[kind].removeShelf(shelf)
      if !aisles[aisle].kinds[kind].shelves.isEmpty { continue }
      aisles[aisle].removeKind(kind)
      if aisles[aisle].kinds.isEmpty {
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
  fileprivate mutating func place(of attributes: UInt32) -> Int {
    if let place = places[attributes] { return place }
    places[attributes] = kinds.count
    kinds.append(TicketIndex.Kind(attributes: attributes))
    return kinds.count - 1
  }

  fileprivate mutating func removeKind(_ place: Int) {
    places[kinds[place].attributes] = nil
    let last = kinds.removeLast()
    if place < kinds.count {
      kinds[place] = last
      places[last.attributes] = place
    }
  }
}

extension TicketIndex.Kind {
  fileprivate init(attributes: UInt32) { self.attributes = attributes }

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
