import Domain
import Operations
import Wire

/// What a board has besides its ranking of all time. A plain board has no extras and pays for none.
final class BoardExtras {
  /// When the timer for the board's maintenance is due; `Int64.max` while none is set.
  var maintenanceDue = Int64.max
  /// Arrivals up to here may have been given out before a restart.
  var reservedThrough: UInt64 = 0
  /// Attempts up to here count as not kept.
  var removedThrough: UInt64 = 0
  /// When the next round over old attempts and completed challenges begins.
  var nextSweep: Int64 = 0
  /// False only while the board has no completed challenge to remove some day.
  var mayHaveCompleted = false
  /// In order of their numbers; the last one is open or was open last.
  var occurrences: [OccurrenceStanding] = []
  /// They cannot be read any more; their rows are removed a few at a time.
  var formerOccurrences: [OccurrenceStanding] = []
  /// The occurrence that the schedule says, and until when it does.
  var schedule: (occurrence: Occurrence, next: Int64)?
  var windows: ScoreWindows?
  var marks: [PlayerID: PlayerMarkRow] = [:]
  var tickets = RunTickets()
  var rates = SubmissionRates()
  /// Under way, or the last one.
  var reRank: ReRankRow?
  var former = FormerRankings()
  var history: BoardHistory?

  /// True when nothing is left that was ranked by the board's rules.
  var isUnused: Bool {
    occurrences.isEmpty && windows?.isEmpty != false && !marks.values.contains { $0.held != nil }
  }
}

extension Board {
  /// The board's extras, which this makes where it has none yet.
  func makeExtras() -> BoardExtras {
    if let extras { return extras }
    let made = BoardExtras()
    extras = made
    return made
  }

  /// Takes a new definition, also for the rankings of occurrences and windows.
  func adopt(_ row: BoardRow) {
    self.row = row
    if !row.definition.isPlain { _ = makeExtras() }
    if row.definition.hasWindows && makeExtras().windows == nil {
      makeExtras().windows = ScoreWindows(of: self)
    }
    extras?.schedule = nil
    extras?.nextSweep = 0
    for standing in extras?.occurrences ?? [] { standing.board.row = row }
    extras?.windows?.adopt(row)
  }

  /// All rows are there.
  func loaded(at now: Int64) {
    let former = rankLoaded()
    adopt(row)
    guard let extras else { return }
    extras.former.rankings = former
    extras.nextSweep = nextRound(after: now)
    extras.history?.nextTrim = extras.nextSweep
    if extras.reservedThrough > 0 { skipArrivals(through: extras.reservedThrough) }
    extras.occurrences.sort { $0.row.key.number < $1.row.key.number }
    for standing in extras.occurrences + extras.formerOccurrences {
      standing.board.row = row
      standing.board.rows.generation = standing.row.generation ?? generation
      extras.former.rankings += standing.board.rankLoaded()
    }
    extras.windows?.loaded(floors: extras.marks.mapValues(\.floor))
    extras.tickets.loaded()
  }
}
