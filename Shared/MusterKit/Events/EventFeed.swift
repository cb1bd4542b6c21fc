/// Brings the player's stream to one consumer: each event once, in order, without gaps.
///
/// The client's `StreamFollower` hands on events in order. A feed takes one that follows its last,
/// and drops an older one. When its own place is older, or its buffer is full, the feed is behind.
/// It then reads from the server by itself, as soon as there is room. So a slow consumer costs a
/// bounded buffer, and nobody else waits for it.
package struct EventFeed {
  package struct Read: Equatable {
    package var after: UInt64
    package var limit: UInt32
    /// The event at `after`, where the place was kept since an earlier session.
    package var event = EventID()
  }

  package let capacity: Int
  /// Every event up to here was taken into the buffer, or is known not to be meant for this
  /// session; nil until the session says where to begin.
  package private(set) var cursor: UInt64?
  /// The event at the place that the consumer has kept, until the server has said that it is one.
  private var unproven: EventID?
  /// How far the follower is: newer events come from there.
  package private(set) var followed: UInt64 = 0
  package private(set) var isReading = false
  private var buffer: [PlayerEvent] = []
  /// How many events at the front of `buffer` the consumer has taken.
  private var takenCount = 0
  /// The event that the consumer has taken last and may still be dealing with.
  private var inHand: UInt64?
  /// Whether the first event was pushed before the session had said where to begin, and told of no
  /// loss before it.
  private var hasBegunByPush = false
  /// Whether events may be missing before the next one.
  private var hasLost = false

  package init(after place: StreamPlace? = nil, capacity: Int = 256) {
    cursor = place?.sequence
    unproven = place?.event.isNil == false ? place?.event : nil
    self.capacity = capacity
  }

  private var count: Int { buffer.count - takenCount }

  /// Up to here it was told already that events are gone.
  private var lossToldThrough: UInt64 = 0

  /// Notes that a session has begun or was resumed.
  ///
  /// - Parameters:
  ///   - followed: the follower's place.
  ///   - removedThrough: what `SessionStarted` says of a session that begins now.
  package mutating func began(
    acknowledged: UInt64, streamEnd: UInt64, followed: UInt64, removedThrough: UInt64 = 0
  ) {
    isReading = false
    if hasBegunByPush, acknowledged < removedThrough { tellLoss() }
    hasBegunByPush = false
    self.followed = followed
    guard let cursor else {
      self.cursor = acknowledged
      return
    }
    // A cursor that the game has kept, from a stream that was lost since: it means nothing here.
    if cursor > streamEnd { (self.cursor, hasLost) = (min(acknowledged, streamEnd), true) }
  }

  /// Forgets the place, and what the consumer has not taken: the server's stream is not the one
  /// that they are of.
  package mutating func forget() {
    (cursor, followed, isReading) = (nil, 0, false)
    unproven = nil
    (buffer, takenCount, inHand) = ([], 0, nil)
    (hasLost, lossToldThrough) = (true, 0)
  }

  /// Takes an event that the follower hands on.
  package mutating func handed(_ event: StreamEvent) {
    followed = max(followed, event.sequence)
    // The pushes of a first session come before what it says of where to begin.
    let cursor = self.cursor ?? event.after
    guard unproven == nil, event.sequence > cursor, event.after <= cursor, count < capacity else {
      return
    }
    if self.cursor == nil { hasBegunByPush = !hasLost }
    append(event)
    self.cursor = event.sequence
  }

  /// Says of the next event that others are missing before it.
  private mutating func tellLoss() {
    if takenCount < buffer.count { buffer[takenCount].isAfterLoss = true } else { hasLost = true }
  }

  /// Notes that the follower has found nothing for this session between two places.
  package mutating func passed(from start: UInt64, through end: UInt64) {
    followed = max(followed, end)
    if let cursor, unproven == nil, cursor >= start { self.cursor = max(cursor, end) }
  }

  private mutating func append(_ event: StreamEvent) {
    var event = PlayerEvent(event)
    event.isAfterLoss = hasLost || event.kind == EventsDropped.opcode
    hasLost = false
    buffer.append(event)
  }

  // MARK: Reading

  /// Returns the read that is needed now, and counts it as under way; nil when none is.
  package mutating func startReading() -> Read? {
    guard let cursor, !isReading, cursor < followed || unproven != nil else { return nil }
    let room = min(capacity - count, StreamLimits.pageMax)
    if room <= 0 { return nil }
    isReading = true
    return Read(after: cursor, limit: UInt32(room), event: unproven ?? EventID())
  }

  package mutating func read(_ reply: ReadEvents.Reply) {
    guard isReading, let start = cursor else { return }
    isReading = false
    unproven = nil
    if max(start, lossToldThrough) < reply.removedThrough {
      (hasLost, lossToldThrough) = (true, reply.removedThrough)
    }
    var reached = start
    for event in reply.events.sorted(by: { $0.sequence < $1.sequence })
    where event.sequence > reached {
      if count >= capacity {
        cursor = reached
        return
      }
      append(event)
      reached = event.sequence
    }
    cursor = max(reached, reply.through)
  }

  package mutating func readFailed() { isReading = false }

  // MARK: The consumer

  /// Returns the next event. Asking for it says that the event before it was dealt with.
  package mutating func take() -> PlayerEvent? {
    inHand = nil
    guard takenCount < buffer.count else { return nil }
    let event = buffer[takenCount]
    takenCount += 1
    // Taken events are removed many at a time, because each removal moves the rest of the buffer.
    if takenCount >= capacity / 2 || takenCount == buffer.count {
      buffer.removeFirst(takenCount)
      takenCount = 0
    }
    inHand = event.sequence
    return event
  }

  /// The consumer has dealt with every event up to here; nil before the session has begun.
  package var consumedThrough: UInt64? {
    // A number that the game has kept may be beyond what it has heard of this stream.
    if unproven != nil { return nil }
    if let inHand { return inHand - 1 }
    return takenCount < buffer.count ? buffer[takenCount].sequence - 1 : cursor
  }
}
