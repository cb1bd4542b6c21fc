package import Wire

// What the rows do not say any more is still in the store's files, until those are cleaned.

extension Engine {
  /// Begins the cleaning after the erasures that have ended: the files are to be cleaned once the
  /// batch that is gathered is in the tables.
  package func beginCleaning() -> [RoutingKey] {
    let ended = walk.ended
    walk.inCleaning += ended
    walk.ended = []
    return ended
  }

  /// The files of these erasures are clean. The next step of the walk writes it down; without that,
  /// the next start has them cleaned again.
  package func erasuresAreCleaned(_ erasures: [RoutingKey]) {
    // One that was opened again meanwhile is not among them any more.
    walk.cleaned += walk.inCleaning.filter(erasures.contains)
    walk.inCleaning.removeAll(where: erasures.contains)
    scheduleErasure(at: lastTime)
  }

  func noteCleaned(_ transaction: inout Transaction) {
    for key in walk.cleaned {
      guard var row = erasureRows[key] else { continue }
      row.cleaned = transaction.now
      put(row, &transaction)
    }
    walk.cleaned = []
  }
}
