import Domain
import Operations
import Wire

/// The re-rank of a board that is under way, or the last one. How far it is stays in memory: after
/// a restart one that is under way begins again.
struct ReRankRow: Row {
  static let tableID: UInt16 = 44
  static let tableName = "re_rank"
  var key = RoutingKey()
  /// Counts the board's re-ranks.
  var number: UInt32 = 0
  /// The rules that the board gets.
  var sortOrder = ScoreOrder()
  var tieRule = ScoreTieRule()
  var aggregation = ScoreAggregation()
  var startDate: Int64 = 0
  /// Nil while it is under way.
  var endDate: Int64?
  /// Which rows the board's entries are in: 0 for those of `entry`, else those of `ranked_entry`
  /// with this number; an occurrence's are those of `occurrence_entry` with this number. A re-rank
  /// that rebuilds entries writes the next ones and then removes these.
  var generation: UInt32 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("number", &number)
    visit.field("sortOrder", &sortOrder)
    visit.field("tieRule", &tieRule)
    visit.field("aggregation", &aggregation)
    visit.field("startDate", &startDate)
    visit.field("endDate", &endDate)
    visit.field("generation", &generation)
  }

  var isUnderWay: Bool { number > 0 && endDate == nil }

  /// A definition with the rules of the re-rank.
  func applied(to definition: LeaderboardDefinition) -> LeaderboardDefinition {
    var changed = definition
    changed.sortOrder = sortOrder
    changed.tieRule = tieRule
    changed.aggregation = aggregation
    return changed
  }
}

struct RankedEntryKey: RowKey {
  var boardKey = RoutingKey()
  var generation: UInt32 = 0
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("generation", &generation)
    visit.field("player", &player)
  }
}

/// A player's entry on a board whose entries were rebuilt. Those of other boards are in `entry`.
struct RankedEntryRow: RankingRow {
  static let tableID: UInt16 = 46
  static let tableName = "ranked_entry"
  var key = RankedEntryKey()
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  var arrival: UInt64 = 0
}
