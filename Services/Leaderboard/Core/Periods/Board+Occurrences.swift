import Domain
import Operations
import Wire

extension Board {
  /// The occurrence that is open at a time or, in a gap, was open last; nil before the first one.
  func occurrence(at now: Int64, _ calendar: any RecurrenceCalendar) -> Occurrence? {
    guard let recurrence = definition.recurrence else { return nil }
    let extras = makeExtras()
    if let known = extras.schedule, known.occurrence.start <= now, now < known.next {
      return known.occurrence
    }
    guard let number = recurrence.number(at: now, calendar) else { return nil }
    var occurrence = recurrence.occurrence(number, calendar)
    // For the past, stored bounds go before what the calendar says today.
    if let last = extras.occurrences.last {
      if number <= last.row.key.number {
        occurrence = last.row.occurrence
      } else {
        occurrence.start = max(occurrence.start, last.row.end)
      }
    }
    let next = recurrence.occurrence(number + 1, calendar).start
    extras.schedule = (occurrence, next)
    return occurrence
  }

  /// Returns an occurrence as it is stored or, where it has no scores, as the calendar has it.
  func occurrence(number: Int64, _ calendar: any RecurrenceCalendar) -> Occurrence? {
    if let standing = makeExtras().occurrences.last(where: { $0.row.key.number == number }) {
      return standing.row.occurrence
    }
    return definition.recurrence?.occurrence(number, calendar)
  }

  /// Returns the occurrence that takes a score now; until it has one it is in memory only.
  func openOccurrence(at now: Int64, _ calendar: any RecurrenceCalendar) throws(Stop)
    -> OccurrenceStanding
  {
    guard let occurrence = occurrence(at: now, calendar), occurrence.start <= now,
      now < occurrence.end
    else {
      let next = makeExtras().schedule?.next ?? definition.recurrence.map { $0.start * 1000 } ?? now
      throw .refuse(
        .notOpen, argument: "board", "The board takes no scores until its next occurrence.",
        retryAfterMilliseconds: UInt32(clamping: next - now))
    }
    if let last = makeExtras().occurrences.last, last.row.key.number == occurrence.number {
      return last
    }
    return OccurrenceStanding(occurrence, of: self)
  }

  /// Stores an occurrence with its first score, and closes those that are too old to be read.
  ///
  /// - Parameter arrival: the score's.
  func open(
    _ standing: OccurrenceStanding, at arrival: UInt64, _ transaction: inout Transaction
  ) {
    let extras = makeExtras()
    guard extras.occurrences.last !== standing else { return }
    standing.row.firstArrival = arrival
    extras.occurrences.append(standing)
    if let definition = successorDefinition, successor != nil || successorIndex != nil {
      standing.board.beginSuccessor(definition, recount: successor?.recount)
    }
    transaction.put(standing.row)
    let oldest = standing.row.key.number - 1 - Int64(definition.olderOccurrencesKept)
    while let old = extras.occurrences.first, old.row.key.number < oldest {
      extras.occurrences.removeFirst()
      drop(old, extras, &transaction)
    }
  }

  private func drop(
    _ standing: OccurrenceStanding, _ extras: BoardExtras, _ transaction: inout Transaction
  ) {
    standing.row.isDropping = true
    standing.row.generation = standing.board.generation
    let (index, ranking) = standing.board.removeSuccessor()
    if let index { extras.former.indices.append(index) }
    if let ranking {
      // The same players' rows: they are removed with the others, also after a restart.
      standing.row.successorGeneration = ranking.rows?.generation
      ranking.rows = nil
      extras.former.rankings.append(ranking)
    }
    transaction.put(standing.row)
    extras.formerOccurrences.append(standing)
  }

  /// Removes at most so many entries of occurrences that cannot be read any more.
  func eraseFormerOccurrences(atMost stepMax: Int, _ transaction: inout Transaction) -> Int {
    var removed = 0
    while let standing = extras?.formerOccurrences.first, removed < stepMax {
      let board = standing.board
      let count = min(board.total, stepMax - removed)
      // From the end, where the ranking has nothing to move up.
      let others = standing.row.successorGeneration.map { board.rows.of(generation: $0) }
      for entry in board.page(from: board.total - count, count: count) {
        others?.remove(entry.player, &transaction)
        board.erase(entry.player, &transaction)
      }
      removed += count + 1
      if board.total == 0 {
        transaction.remove(OccurrenceRow.self, standing.row.key)
        extras?.formerOccurrences.removeFirst()
      }
    }
    return removed
  }

  /// The ranking of an occurrence, or of a board of all time; nil for an occurrence that is not
  /// kept.
  func standing(of occurrence: Int64?) -> Board? {
    guard let occurrence else { return self }
    return extras?.occurrences.last { $0.row.key.number == occurrence }?.board
  }

  /// The arrivals that are an occurrence's, or all of them on a board of all time; none for an
  /// occurrence that is not kept.
  func arrivals(of occurrence: Int64?) -> ArrivalRange {
    guard let occurrence else { return ArrivalRange(first: 0, through: .max) }
    let kept = extras?.occurrences ?? []
    guard let place = kept.lastIndex(where: { $0.row.key.number == occurrence })
    else { return .none }
    let next = place + 1 < kept.count ? kept[place + 1].row.firstArrival - 1 : .max
    return ArrivalRange(first: kept[place].row.firstArrival, through: next)
  }

  /// The ranking that an attempt counts in; nil for an occurrence that is not kept any more.
  func ranking(of arrival: UInt64) -> Board? {
    guard definition.recurrence != nil else { return self }
    return extras?.occurrences.last { $0.row.firstArrival <= arrival }?.board
  }

  // MARK: Which ranking

  /// The ranking that a query is about; an empty one for an occurrence without scores.
  func standing(_ period: ScorePeriod, at now: Int64, _ calendar: any RecurrenceCalendar)
    throws(Stop) -> Board
  {
    if extras == nil && period == ScorePeriod() { return self }
    guard period.timeScope.isKnown
    else { throw .invalidArgument("timeScope", "The time scope is not known.") }
    if definition.recurrence != nil { return try occurrenceStanding(period, at: now, calendar) }
    guard period.occurrencesBack == 0
    else { throw .invalidArgument("occurrencesBack", "The board does not recur.") }
    guard let length = period.timeScope.length else { return self }
    guard definition.hasWindows, let windows = extras?.windows
    else { throw .invalidArgument("timeScope", "The board has no windows.") }
    return try windows.standing(length: length, at: now)
  }

  private func occurrenceStanding(
    _ period: ScorePeriod, at now: Int64, _ calendar: any RecurrenceCalendar
  ) throws(Stop) -> Board {
    guard period.timeScope == .allTime
    else { throw .invalidArgument("timeScope", "A recurring board has occurrences, no windows.") }
    let back = Int64(period.occurrencesBack)
    guard back <= 1 + Int64(definition.olderOccurrencesKept)
    else { throw .notFound("occurrencesBack", "The board does not keep so many occurrences.") }
    guard let current = occurrence(at: now, calendar) else { return empty }
    guard back <= current.number
    else { throw .notFound("occurrencesBack", "The board has not had so many occurrences.") }
    return makeExtras().occurrences.last { $0.row.key.number == current.number - back }?.board
      ?? empty
  }

  private var empty: Board {
    let board = Board(key: key)
    board.row = row
    return board
  }
}
