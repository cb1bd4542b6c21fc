package import Wire

// Services that the deployment leaves out cannot be told of an erasure. They may have rows of the
// player all the same, from before, so that they are told when they are there again.

extension Engine {
  /// Whether an effect tells another process of an erased player.
  package func isErasure(_ effect: OutboxRow) -> Bool {
    core.isErasure(Opcode(rawValue: effect.opcode))
  }

  /// Players of whom a service was not told, because the deployment leaves it out.
  package var untoldErasureCount: Int { erasureRows.values.count { $0.untold != 0 } }

  /// Takes an effect out of the outbox that tells a service which is left out of an erased player.
  /// One number for each player stays, in place of an effect for each slot.
  package func leaveUntold(_ effect: OutboxRow, _ service: Service) -> RowChanges {
    var changes = delivered(effect.key)
    let body = effect.body.array
    let named = unsafe erased.named(in: body.span.bytes)
    for erasure in named {
      guard var row = erasureRows[erasure.digest], row.untold & service.bit == 0 else { continue }
      row.untold |= service.bit
      erasureRows[row.key] = row
      changes.put(row)
    }
    return changes
  }

  /// Begins to tell all services of the players of whom one was not told that is there now. They
  /// take for the same what they know.
  package func tellErasures(to isThere: (Service) -> Bool) {
    let present = Service.allCases.filter(isThere).reduce(UInt64(0)) { $0 | $1.bit }
    walk.toTell = erased.all.filter { (erasureRows[$0.digest]?.untold ?? 0) & present != 0 }
    scheduleErasure(at: max(lastTime, timeMin))
  }

  /// Tells the services that were left out. The effects name the player, so that the erasure is
  /// open again until they are taken and gone from the files.
  func tellAgain(_ erasure: Erasure, _ transaction: inout Transaction) {
    guard var row = erasureRows[erasure.digest] else { return }
    let untold = row.untold
    if row.ended != 0 { open(erasure) }
    (row.untold, row.ended, row.cleaned) = (0, 0, 0)
    put(row, &transaction)
    core.tell(of: erasure, to: { untold & $0.bit != 0 }, &transaction)
  }
}

extension Service {
  fileprivate var bit: UInt64 { 1 << UInt64(rawValue) }
}
