import Domain
import Operations
import Wire

/// The rows that the entries of one ranking are in.
struct EntryRows {
  let boardKey: RoutingKey
  /// The number of the occurrence that is ranked; nil for a ranking of all time.
  let occurrence: Int64?
  /// How often a re-rank has rebuilt the entries: see `ReRankRow`.
  var generation: UInt32 = 0

  func of(generation: UInt32) -> EntryRows {
    EntryRows(boardKey: boardKey, occurrence: occurrence, generation: generation)
  }

  func put(_ entry: Board.Entry, _ transaction: inout Transaction) {
    if let occurrence {
      let key = occurrenceKey(entry.player, occurrence)
      transaction.put(OccurrenceEntryRow(key: key).holding(entry))
    } else if generation > 0 {
      transaction.put(RankedEntryRow(key: rankedKey(entry.player)).holding(entry))
    } else {
      let key = EntryKey(boardKey: boardKey, player: entry.player)
      transaction.put(EntryRow(key: key).holding(entry))
    }
  }

  func remove(_ player: PlayerID, _ transaction: inout Transaction) {
    if let occurrence {
      transaction.remove(OccurrenceEntryRow.self, occurrenceKey(player, occurrence))
    } else if generation > 0 {
      transaction.remove(RankedEntryRow.self, rankedKey(player))
    } else {
      transaction.remove(EntryRow.self, EntryKey(boardKey: boardKey, player: player))
    }
  }

  private func occurrenceKey(_ player: PlayerID, _ number: Int64) -> OccurrenceEntryKey {
    OccurrenceEntryKey(boardKey: boardKey, number: number, generation: generation, player: player)
  }

  private func rankedKey(_ player: PlayerID) -> RankedEntryKey {
    RankedEntryKey(boardKey: boardKey, generation: generation, player: player)
  }
}
