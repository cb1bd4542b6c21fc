import Domain
package import Wire

package struct PushQueueKey: RowKey {
  /// Milliseconds since 1970.
  package var due: Int64 = 0
  package var event = EventID()
  package init() {}
  package init(due: Int64, event: EventID) { (self.due, self.event) = (due, event) }
  package mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("due", &due)
    visit.field("event", &event)
  }
}

/// An event that waits for the push hook. Cold, and found by when it is due; `EventRow.pushDue`
/// leads here from the event, whose content stays there. So the row goes when the event does, and
/// there are never more of these than events.
package struct PushQueueRow: Row {
  package static let tableID: UInt16 = 48
  package static let tableName = "push_queue"
  /// A row that waits longer gets another key.
  package static var isWrittenOnce: Bool { true }
  package var key = PushQueueKey()
  package var player = PlayerID()
  package var sequence: UInt64 = 0
  package var game = ""
  /// How many attempts have failed.
  package var attempts: UInt32 = 0
  /// When the event was written, in milliseconds since 1970.
  package var since: Int64 = 0
  /// Of what has led to the event.
  package var trace = TraceID()
  package init() {}

  /// The row of an event that waits.
  init(_ event: EventRow, attempts: UInt32 = 0, trace: TraceID) {
    key = PushQueueKey(due: event.pushDue, event: event.id)
    player = event.key.player
    sequence = event.key.sequence
    game = event.game
    self.attempts = attempts
    since = event.time
    self.trace = trace
  }

  package mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("sequence", &sequence)
    visit.field("game", &game)
    visit.field("attempts", &attempts)
    visit.field("since", &since)
    visit.field("trace", &trace)
  }
}
