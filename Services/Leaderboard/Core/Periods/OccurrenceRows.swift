import Domain
import Operations
import Wire

struct OccurrenceKey: RowKey {
  var boardKey = RoutingKey()
  var number: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("number", &number)
  }
}

/// An occurrence that has scores. Its bounds are kept from its first score on, so that new data
/// about a zone does not move what has been.
struct OccurrenceRow: Row {
  static let tableID: UInt16 = 34
  static let tableName = "occurrence"
  var key = OccurrenceKey()
  /// Milliseconds since 1970.
  var start: Int64 = 0
  var end: Int64 = 0
  /// Not readable any more; its entries are being removed.
  var isDropping = false
  /// The arrival of its first attempt. They only grow, so its attempts have those from this one up
  /// to the next occurrence's.
  var firstArrival: UInt64 = 0
  /// While it is dropping, the generation of its entries: see `ReRankRow`.
  var generation: UInt32?
  /// While it is dropping, the generation of the rows that a re-rank has written for its players.
  /// Nil when no re-rank was under way.
  var successorGeneration: UInt32?
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("start", &start)
    visit.field("end", &end)
    visit.field("isDropping", &isDropping)
    visit.field("firstArrival", &firstArrival)
    visit.field("generation", &generation)
    visit.field("successorGeneration", &successorGeneration)
  }

  var occurrence: Occurrence { Occurrence(key.number, start: start, end: end) }
}

struct OccurrenceEntryKey: RowKey {
  var boardKey = RoutingKey()
  var number: Int64 = 0
  var generation: UInt32 = 0
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("number", &number)
    visit.field("generation", &generation)
    visit.field("player", &player)
  }
}

/// A player's entry in one occurrence.
struct OccurrenceEntryRow: RankingRow {
  static let tableID: UInt16 = 35
  static let tableName = "occurrence_entry"
  var key = OccurrenceEntryKey()
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  var arrival: UInt64 = 0
}

/// An occurrence and its ranking.
final class OccurrenceStanding {
  var row: OccurrenceRow
  let board: Board

  init(_ occurrence: Occurrence, of board: Board) {
    row = OccurrenceRow(
      key: OccurrenceKey(boardKey: board.key, number: occurrence.number), start: occurrence.start,
      end: occurrence.end)
    self.board = Board(key: board.key, occurrence: occurrence.number)
    self.board.row = board.row
    self.board.rows.generation = board.generation
  }
}

// MARK: Start

extension Board {
  /// Takes a stored row of an occurrence, on the board that has the occurrence.
  func load(_ row: OccurrenceEntryRow) {
    skipArrivals(through: row.arrival)
    let standing = standing(number: row.key.number)
    standing.board.load(row.entry(of: row.key.player), of: row.key.generation)
  }

  func load(_ row: OccurrenceRow) {
    skipArrivals(through: row.firstArrival)
    let standing = standing(number: row.key.number)
    standing.row = row
    guard !row.isDropping else { return }
    makeExtras().formerOccurrences.removeAll { $0 === standing }
    makeExtras().occurrences.append(standing)
  }

  /// Rows come in any order: the first of an occurrence makes it. Until its own comes it is taken
  /// for dropping, because rows of entries from before a re-rank may outlive it.
  private func standing(number: Int64) -> OccurrenceStanding {
    let isIt: (OccurrenceStanding) -> Bool = { $0.row.key.number == number }
    if let known = makeExtras().occurrences.last(where: isIt)
      ?? makeExtras().formerOccurrences.last(where: isIt)
    {
      return known
    }
    let made = OccurrenceStanding(Occurrence(number), of: self)
    made.row.isDropping = true
    makeExtras().formerOccurrences.append(made)
    return made
  }
}
