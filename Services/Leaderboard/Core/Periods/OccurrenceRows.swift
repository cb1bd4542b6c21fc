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
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("start", &start)
    visit.field("end", &end)
    visit.field("isDropping", &isDropping)
    visit.field("firstArrival", &firstArrival)
  }

  var occurrence: Occurrence { Occurrence(key.number, start: start, end: end) }
}

struct OccurrenceEntryKey: RowKey {
  var boardKey = RoutingKey()
  var number: Int64 = 0
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("number", &number)
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
  }
}

// MARK: Rows of a ranking

extension Board {
  /// Stores an entry in the table that this ranking's entries are in.
  func write(_ entry: Entry, _ transaction: inout Transaction) {
    if let occurrence {
      let key = OccurrenceEntryKey(boardKey: key, number: occurrence, player: entry.player)
      transaction.put(OccurrenceEntryRow(key: key).holding(entry))
    } else if generation > 0 {
      transaction.put(RankedEntryRow(key: rowKey(entry.player, generation)).holding(entry))
    } else {
      let key = EntryKey(boardKey: key, player: entry.player)
      transaction.put(EntryRow(key: key).holding(entry))
    }
  }

  /// Removes a player's entry from the table that this ranking's entries are in.
  func removeRow(of player: PlayerID, _ transaction: inout Transaction) {
    if let occurrence {
      transaction.remove(
        OccurrenceEntryRow.self,
        OccurrenceEntryKey(boardKey: key, number: occurrence, player: player))
    } else {
      removeRow(of: player, generation, &transaction)
    }
  }

  /// Removes the row that a player's entry of all time has, or had in an earlier generation.
  func removeRow(of player: PlayerID, _ generation: UInt32, _ transaction: inout Transaction) {
    if generation == 0 {
      transaction.remove(EntryRow.self, EntryKey(boardKey: key, player: player))
    } else {
      transaction.remove(RankedEntryRow.self, rowKey(player, generation))
    }
  }

  /// Takes a stored row of an occurrence, on the board that has the occurrence.
  func load(_ row: OccurrenceEntryRow) {
    skipArrivals(through: row.arrival)
    standing(number: row.key.number).board.load(row.entry(of: row.key.player))
  }

  func load(_ row: OccurrenceRow) {
    skipArrivals(through: row.firstArrival)
    let standing = standing(number: row.key.number)
    standing.row = row
    guard row.isDropping else { return }
    makeExtras().occurrences.removeAll { $0 === standing }
    makeExtras().formerOccurrences.append(standing)
  }

  /// Rows come in any order: the first of an occurrence makes it.
  private func standing(number: Int64) -> OccurrenceStanding {
    let isIt: (OccurrenceStanding) -> Bool = { $0.row.key.number == number }
    if let known = makeExtras().occurrences.last(where: isIt)
      ?? makeExtras().formerOccurrences.last(where: isIt)
    {
      return known
    }
    let made = OccurrenceStanding(Occurrence(number), of: self)
    makeExtras().occurrences.append(made)
    return made
  }
}
