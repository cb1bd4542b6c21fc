import Wire

/// How far the walk over all rows has come. It begins anew with the process.
struct ErasureWalk {
  /// Those whose rows are looked for.
  var open: [Erasure] = []
  /// How many of them the pass under way has looked for from its beginning.
  var inPass = 0
  var table: UInt16 = 0
  var after: [UInt8] = []
  var hasFound = false
  /// Whether the pass has seen an effect that tells another process of an open erasure: it has to
  /// name the player.
  var hasUntold = false
  /// Whether the pass goes over the outbox alone: in the other tables there is nothing any more.
  var isOutboxAlone = false
  struct ChangedRow: Hashable {
    var table: UInt16
    var key: [UInt8]
  }
  /// Rows that commands changed, with the batch of the last change, until that is durable: what was
  /// read of them may be old.
  var changed: [ChangedRow: UInt64] = [:]

  /// Digests of players whose walks have ended, but not the cleaning of the files.
  var ended: [RoutingKey] = []
  /// Of those, the ones whose files are being cleaned.
  var inCleaning: [RoutingKey] = []
  /// Players of whom nothing is left in the files; to be noted.
  var cleaned: [RoutingKey] = []

  /// Whether the pass under way looks for the player from its beginning.
  func isInPass(_ erasure: Erasure) -> Bool { open.prefix(inPass).contains(erasure) }

  mutating func beginPass() {
    (table, after, hasFound, hasUntold, isOutboxAlone) = (0, [], false, false, false)
    inPass = open.count
  }

  /// Begins to wait until the other processes have taken what is sent to them.
  mutating func beginOutboxPass() {
    (table, after, hasUntold, isOutboxAlone) = (OutboxRow.tableID, [], false, true)
  }
}
