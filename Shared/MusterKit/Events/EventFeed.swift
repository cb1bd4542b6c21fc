/// What one consumer has of the player's stream: each event once, in order, without gaps.
///
/// Pushes are only hints. One that follows directly is taken; one that came before is dropped; after
/// one that leaves a gap, or that finds the buffer full, the feed is behind and reads from the
/// server, which is the truth, as soon as there is room. So a slow consumer costs a bounded buffer
/// and nobody else waits for it.
struct EventFeed {
  struct Read: Equatable {
    var after: UInt64
    var limit: UInt32
  }

  let capacity: Int
  /// Everything up to here was taken into the buffer, or is known not to be for this session; nil
  /// until the session says where to begin.
  private(set) var cursor: UInt64?
  /// The newest event that the server is known to have.
  private(set) var streamEnd: UInt64 = 0
  private(set) var isReading = false
  /// The newest event pushed since the read under way began: its answer may be older than that.
  private var pushedWhileReading: UInt64 = 0
  private var buffer: [PlayerEvent] = []
  private var taken = 0
  /// Given to the consumer, which has not come back for the next one.
  private var inHand: UInt64?
  private var hasLost = false

  init(after cursor: UInt64? = nil, capacity: Int = 256) {
    self.cursor = cursor
    self.capacity = capacity
  }

  private var count: Int { buffer.count - taken }

  /// A session has begun or was resumed.
  mutating func began(acknowledged: UInt64, streamEnd: UInt64) {
    isReading = false
    self.streamEnd = streamEnd
    guard let cursor else {
      self.cursor = acknowledged
      return
    }
    // The server's store was lost and begins anew: old numbers say nothing of new events.
    if cursor > streamEnd { self.cursor = min(acknowledged, streamEnd) }
  }

  mutating func pushed(_ event: StreamEvent) {
    streamEnd = max(streamEnd, event.sequence)
    pushedWhileReading = max(pushedWhileReading, event.sequence)
    guard let cursor, event.sequence > cursor, event.sequence - cursor == 1, count < capacity else {
      return
    }
    append(event)
    self.cursor = event.sequence
  }

  private mutating func append(_ event: StreamEvent) {
    var event = PlayerEvent(event)
    event.isAfterLoss = hasLost
    hasLost = false
    buffer.append(event)
  }

  // MARK: Reading

  /// The read that is needed now, which then counts as under way.
  mutating func startReading() -> Read? {
    guard let cursor, !isReading, cursor < streamEnd else { return nil }
    let room = min(capacity - count, StreamLimits.pageMax)
    if room <= 0 { return nil }
    isReading = true
    pushedWhileReading = 0
    return Read(after: cursor, limit: UInt32(room))
  }

  mutating func read(_ reply: ReadEvents.Reply) {
    guard isReading, let start = cursor else { return }
    isReading = false
    if reply.oldest > start, reply.oldest - start > 1 { hasLost = true }
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
    // A server that has nothing more is not asked again until it says that it has.
    if !reply.more { streamEnd = max(reached, reply.through, pushedWhileReading) }
  }

  mutating func readFailed() { isReading = false }

  // MARK: The consumer

  /// The next event; asking for it says that the one before is dealt with.
  mutating func take() -> PlayerEvent? {
    inHand = nil
    guard taken < buffer.count else { return nil }
    let event = buffer[taken]
    taken += 1
    if taken >= capacity / 2 || taken == buffer.count {
      buffer.removeFirst(taken)
      taken = 0
    }
    inHand = event.sequence
    return event
  }

  /// Everything up to here was dealt with; nil before the start.
  var consumedThrough: UInt64? {
    if let inHand { return inHand - 1 }
    return taken < buffer.count ? buffer[taken].sequence - 1 : cursor
  }
}
