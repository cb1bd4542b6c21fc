import Domain
import Operations
import Wire

/// What a board has besides its ranking of all time; a plain one has none of it and pays for none.
final class BoardKeeping {
  /// True when steps of time come by.
  var isWatched = false
  /// Arrivals up to here may have been given out before a restart.
  var reservedThrough: UInt64 = 0
  /// When the next round over old attempts and completed challenges begins.
  var nextSweep: Int64 = 0
  /// In order of their numbers; the last one is open or was open last.
  var occurrences: [OccurrenceStanding] = []
  /// Not readable any more; their rows go a few at a time.
  var dropping: [OccurrenceStanding] = []
  /// The occurrence that the schedule says, and until when it does.
  var scheduled: (occurrence: Occurrence, next: Int64)?
  var windows: ScoreWindows?
  var marks: [PlayerID: PlayerMarkRow] = [:]
  var tickets = RunTickets()
  var rates = SubmissionRates()
  /// Under way, or the last one.
  var reRank: ReRankRow?
  /// What the board was ranked by, let go of in steps.
  var retired: [NextRanking] = []
  var retiredOrders: [NextOrder] = []
  var retiredWindows: [WindowRankings] = []
  var history: BoardHistory?

  /// True when nothing is left that was ranked by the board's rules.
  var isUnused: Bool {
    occurrences.isEmpty && windows?.isEmpty != false && !marks.values.contains { $0.isHolding }
  }

  /// Attempts of a player up to this arrival do not count.
  func floor(of player: PlayerID) -> UInt64 {
    marks[player].map { max($0.countsAfter, $0.hiddenThrough) } ?? 0
  }
}

extension Board {
  /// What the board keeps, made when it is first needed.
  var kept: BoardKeeping {
    if let keeping { return keeping }
    let made = BoardKeeping()
    keeping = made
    return made
  }

  /// The definition is new: what is ranked apart follows it.
  func adopt(_ row: BoardRow) {
    self.row = row
    if !row.definition.isPlain { _ = kept }
    if row.definition.hasWindows && kept.windows == nil { kept.windows = ScoreWindows(of: self) }
    keeping?.scheduled = nil
    keeping?.nextSweep = 0
    for standing in keeping?.occurrences ?? [] { standing.board.row = row }
    keeping?.windows?.adopt(row)
  }

  /// All rows are there.
  func keepingLoaded() {
    adopt(row)
    guard let keeping else { return }
    if keeping.reservedThrough > 0 { skipArrivals(through: keeping.reservedThrough) }
    keeping.occurrences.sort { $0.row.key.number < $1.row.key.number }
    for standing in keeping.occurrences + keeping.dropping {
      standing.board.row = row
      standing.board.loaded()
    }
    keeping.windows?.loaded(floors: keeping.marks.mapValues { keeping.floor(of: $0.key.player) })
    keeping.tickets.loaded()
  }
}

extension PlayerMarkRow {
  var isHolding: Bool { held != nil }
}
