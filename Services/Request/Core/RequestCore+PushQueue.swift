package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let pushHookDelay = NumberSetting(
    "push-hook-delay-seconds", .seconds, default: 30, 0...3600,
    "How long a connected player has to acknowledge an event before it goes to the push hook.")
}

// Events that wait for the push hook, which is for players who are not there. Each event gets a
// row: a connection that is believed open may be dead, so that only an acknowledgement tells that
// an event has arrived. The row of one that has is found when it is due, and not when the player
// acknowledges: that may be about any number of events.

extension RequestCore {
  /// Has an event wait for the push hook, if there is one. Events that only make sense to a client
  /// that reads the stream are not for it.
  func queuePush(of event: inout EventRow, _ transaction: inout Transaction) {
    guard let eventQueued, event.kind != EventsDropped.opcode.rawValue else { return }
    let isConnected = !subscriptions.channels(of: event.key.player, game: event.game).isEmpty
    event.pushDue = transaction.now + (isConnected ? settings[.pushHookDelay] : 0)
    transaction.put(PushQueueRow(event, trace: transaction.trace))
    eventQueued(event.pushDue)
  }

  /// The event waits for the push hook no longer. Whoever removes events calls this for each, so
  /// that a player whose events are removed has no rows here.
  func forgetPush(of event: EventRow, _ transaction: inout Transaction) {
    guard event.pushDue != 0 else { return }
    transaction.remove(
      PushQueueRow.self, PushQueueKey(due: event.pushDue, event: event.id))
  }

  /// Whether the player has not acknowledged the event, so that the push hook is to have it. This
  /// is as of all that was done so far, durable or not: who acts on it does so by a command.
  package func isUnread(_ row: PushQueueRow) -> Bool {
    row.sequence > read(of: row.player, row.game)
  }

  func beginPush(_ operation: BeginPush, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> BeginPush.Reply
  {
    let key = EventKey(player: operation.player, sequence: operation.sequence)
    let event = try transaction.row(EventRow.self, key)
    var reply = BeginPush.Reply()
    guard let event, event.id == operation.event, event.pushDue == operation.due,
      key.sequence > read(of: key.player, event.game)
    else {
      transaction.remove(
        PushQueueRow.self, PushQueueKey(due: operation.due, event: operation.event))
      reply.isWithdrawn = true
      return reply
    }
    (reply.time, reply.kind, reply.body) = (event.time, event.kind, event.body)
    return reply
  }

  func endPush(_ operation: EndPush, _ call: Call, _ transaction: inout Transaction) throws(Stop) {
    let old = PushQueueKey(due: operation.due, event: operation.event)
    if operation.nextDue == 0 { return transaction.remove(PushQueueRow.self, old) }
    let key = EventKey(player: operation.player, sequence: operation.sequence)
    var event = try transaction.row(EventRow.self, key)
    transaction.remove(PushQueueRow.self, old)
    guard event?.id == operation.event, event?.pushDue == operation.due else { return }
    // Another key each time, so that no row is put over another.
    event?.pushDue = max(operation.nextDue, operation.due + 1)
    guard let event else { return }
    transaction.put(event)
    transaction.put(
      PushQueueRow(event, attempts: operation.attempts, trace: transaction.trace))
  }
}
