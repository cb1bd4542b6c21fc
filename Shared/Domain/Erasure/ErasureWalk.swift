import Wire

/// How far the walk over all rows has come. It begins anew with the process.
struct ErasureWalk {
  /// Those whose rows are looked for.
  var open: [Erasure] = []
  /// How many of them the pass under way has looked for from its beginning.
  var inPass = 0
  var table: UInt16 = 0
  var after: [UInt8] = []
  /// Those whom a row named.
  var found: Set<Erasure> = []
  /// Those whom only effects named that tell another process of the erasure: these have to.
  var untold: Set<Erasure> = []
  /// Whether the pass goes over the outbox alone: in the other tables there is nothing any more.
  var isOutboxAlone = false
  /// Tables with a row that could not be rewritten, each of which the operator is told of once.
  var unreadable: Set<UInt16> = []
  struct ChangedRow: Hashable {
    var table: UInt16
    var key: [UInt8]
  }
  /// Rows that commands changed, with the batch of the last change, until that is durable: what was
  /// read of them may be old.
  var changed: [ChangedRow: UInt64] = [:]

  /// Those of whom all services are to be told again.
  var toTell: [Erasure] = []
  /// Digests of players whose walks have ended, but not the cleaning of the files.
  var ended: [RoutingKey] = []
  /// Of those, the ones whose files are being cleaned.
  var inCleaning: [RoutingKey] = []
  /// Players of whom nothing is left in the files; to be noted.
  var cleaned: [RoutingKey] = []

  /// Takes out those of whom the pass has found nothing from its beginning to its end.
  mutating func takeDone() -> [Erasure] {
    let done = open.prefix(inPass).filter { !found.contains($0) && !untold.contains($0) }
    // Those who came in the middle of the pass are looked for from the beginning first.
    found.formIntersection(open.prefix(inPass))
    untold.formIntersection(open.prefix(inPass))
    open.removeAll(where: done.contains)
    inPass -= done.count
    // Nothing is noted while nobody is looked for.
    if open.isEmpty { changed = [:] }
    return done
  }

  mutating func beginPass() {
    (table, after, isOutboxAlone) = (0, [], false)
    (found, untold) = ([], [])
    inPass = open.count
  }

  /// Begins to wait until the other processes have taken what is sent to them.
  mutating func beginOutboxPass() {
    (table, after, isOutboxAlone) = (OutboxRow.tableID, [], true)
    untold = []
  }
}
