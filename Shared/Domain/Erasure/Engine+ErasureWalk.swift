import Wire

// The walk over all rows, in which those that name an erased player are rewritten.

extension Engine {
  /// Looks at a page of rows, and rewrites those that name somebody who is erased. What it wrote is
  /// looked at again by the next pass.
  func continueErasure(_ transaction: inout Transaction) throws(Stop) {
    if !walk.cleaned.isEmpty {
      // In a step of its own, since a step that waits for cold rows begins anew.
      noteCleaned(&transaction)
      return scheduleErasure(at: transaction.now)
    }
    if openEffectCount < ErasureLimits.openEffectsMax, let erasure = walk.toTell.popLast() {
      tellAgain(erasure, &transaction)
      return scheduleErasure(at: transaction.now)
    }
    if walk.open.isEmpty {
      return scheduleErasure(at: transaction.now + ErasureLimits.againMilliseconds)
    }
    guard let table = tables.nextAboutPlayers(from: walk.table),
      case let id = table.description.id, !walk.isOutboxAlone || id == OutboxRow.tableID
    else { return endPass(&transaction) }
    if id != walk.table { (walk.table, walk.after) = (id, []) }
    let page = try nextPage(transaction)
    if let last = try rewrite(page, of: table, &transaction) {
      walk.after = try table.key(last)
    } else {
      (walk.table, walk.after) = (id + 1, [])
    }
    scheduleErasure(at: transaction.now)
  }

  private func nextPage(_ transaction: Transaction) throws(Stop) -> [[UInt8]] {
    let range = ColdRange(
      table: walk.table, from: walk.after, through: [], limit: ErasureLimits.rowsPerStep)
    do {
      return try transaction.encodedRows(in: range)
    } catch {
      // The read sees what is durable by now: all but the batch under way and the one that is
      // gathered.
      walk.changed = walk.changed.filter { $0.value + 1 >= batch }
      throw error
    }
  }

  /// Returns the last row that was looked at; nil when the table has no more behind the page.
  private func rewrite(
    _ page: [[UInt8]], of table: Tables.Table, _ transaction: inout Transaction
  ) throws(Stop) -> [UInt8]? {
    var last: [UInt8]?
    for row in page where walk.after.isEmpty || !row.starts(with: walk.after) {
      if let last, ErasureLimits.isFull(transaction) { return last }
      do throws(Stop) {
        try look(at: row, of: table, &transaction)
      } catch {
        // A step begins anew when the rows are there that it waits for: only one that has changed
        // nothing may wait.
        guard let last, transaction.hasStarted else { throw error }
        return last
      }
      last = row
    }
    return page.count == ErasureLimits.rowsPerStep ? page.last : nil
  }

  private func look(
    at row: [UInt8], of table: Tables.Table, _ transaction: inout Transaction
  ) throws(Stop) {
    let named = openErasures(in: row, of: table)
    guard let first = named.first else { return }
    if tellsOfErasure(row, of: table) { return walk.untold.formUnion(named) }
    let key = try table.key(row)
    if walk.changed[.init(table: table.description.id, key: key)] == nil {
      try erase(row, first, of: table, &transaction)
    } else if !transaction.hasStarted, let row = erasureRows[first.digest] {
      // The next pass looks again; with this, a batch passes until then also where all else rests.
      put(row, &transaction)
    }
    walk.found.formUnion(named)
  }

  /// A row that cannot be read stays; the walk goes on, and does not end for the player.
  private func erase(
    _ row: [UInt8], _ erasure: Erasure, of table: Tables.Table, _ transaction: inout Transaction
  ) throws(Stop) {
    let before = transaction.gathered.bytes.count
    do {
      try table.erase?(row, erasure, &transaction)
    } catch .refused(let failure) {
      if walk.unreadable.insert(table.description.id).inserted {
        cannotErase?(table.description.name, failure)
      }
    }
    // To forget a row may change others, which the page has as they were.
    noteChanges(transaction.gathered, from: before)
  }

  private func openErasures(in row: [UInt8], of table: Tables.Table) -> [Erasure] {
    let named = unsafe erased.named(in: row.span.bytes).filter(walk.open.contains)
    guard named.isEmpty, let others = table.others?(row),
      others.contains(where: erased.standIns.contains)
    else { return named }
    return walk.open.filter { others.contains($0.standIn) }
  }

  /// An effect by which another process is told of the erasure has to name the player.
  private func tellsOfErasure(_ row: [UInt8], of table: Tables.Table) -> Bool {
    guard table.description.id == OutboxRow.tableID, let row = try? OutboxRow(decoding: row)
    else { return false }
    return isErasure(row)
  }

  /// Ends the walk for those of whom the pass found nothing, and begins the next one.
  private func endPass(_ transaction: inout Transaction) {
    for erasure in walk.takeDone() {
      guard var row = erasureRows[erasure.digest] else { continue }
      row.ended = transaction.now
      put(row, &transaction)
      walk.ended.append(row.key)
    }
    let isAgain = !walk.found.isEmpty
    let waitsForOthers = !isAgain && !walk.untold.isEmpty
    if waitsForOthers && walk.open.count == walk.inPass {
      walk.beginOutboxPass()
    } else {
      // Those who came meanwhile do not wait for a service that cannot be told.
      walk.beginPass()
    }
    let wait = isAgain || waitsForOthers ? ErasureLimits.againMilliseconds : 0
    scheduleErasure(at: transaction.now + wait)
  }

  /// Notes what was changed: what the walk has read of it may be old.
  ///
  /// - Parameter start: where the changes begin that were not noted yet.
  func noteChanges(_ changes: RowChanges, from start: Int = 0) {
    if walk.open.isEmpty || changes.bytes.count == start { return }
    let rest = start == 0 ? changes : RowChanges(bytes: Array(changes.bytes[start...]))
    guard let places = try? rest.places() else { return }
    for place in places {
      let key = rest.change(at: place).key
      walk.changed[.init(table: place.table, key: key)] = batch
    }
  }
}
