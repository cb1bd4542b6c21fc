import Operations
import Outgoing
import RequestCore
import Wire

extension PushRow {
  init(_ row: PushQueueRow) {
    self.init(
      event: row.key.event, player: row.player, game: row.game, attempts: Int(row.attempts),
      due: row.key.due, since: row.since, trace: row.trace)
  }
}

extension BeginPush {
  init(_ row: PushQueueRow) {
    self.init()
    (player, sequence) = (row.player, row.sequence)
    (event, due) = (row.key.event, row.key.due)
  }
}

extension EndPush {
  /// - Parameter nextDue: 0 when the event waits no longer.
  init(_ row: PushQueueRow, nextDue: Int64, attempts: Int) {
    self.init()
    (player, sequence) = (row.player, row.sequence)
    (event, due) = (row.key.event, row.key.due)
    (self.nextDue, self.attempts) = (nextDue, UInt32(clamping: attempts))
  }
}
