import Operations
import Testing
import Wire

@testable import MusterKit

@Suite("Event feed")
struct EventFeedTests {
  var feed = EventFeed(capacity: 4)

  /// An event behind `after`, or behind the number before it.
  static func event(_ sequence: UInt64, after: UInt64? = nil) -> StreamEvent {
    var event = StreamEvent()
    event.sequence = sequence
    event.after = after ?? sequence - 1
    return event
  }

  static func page(_ events: [UInt64], through: UInt64, more: Bool = false) -> ReadEvents.Reply {
    var reply = ReadEvents.Reply()
    reply.events = events.map { event($0) }
    reply.through = through
    reply.more = more
    reply.oldest = 1
    return reply
  }

  mutating func takeAll() -> [UInt64] {
    var taken: [UInt64] = []
    while let event = feed.take() { taken.append(event.sequence) }
    return taken
  }

  @Test("2.8 events are taken in order, doubles are dropped")
  mutating func pushes() {
    feed.began(acknowledged: 10, streamEnd: 10, followed: 10)
    for sequence in [11, 11, 12, 10, 12, 13] as [UInt64] { feed.handed(Self.event(sequence)) }
    #expect(feed.startReading() == nil)
    #expect(takeAll() == [11, 12, 13])
  }

  @Test("2.8 a gap is fetched, and what comes meanwhile is not lost")
  mutating func gap() {
    feed.began(acknowledged: 0, streamEnd: 0, followed: 0)
    feed.handed(Self.event(1))
    feed.handed(Self.event(4))
    #expect(feed.startReading() == .init(after: 1, limit: 3))
    #expect(feed.startReading() == nil)
    feed.handed(Self.event(5))
    feed.read(Self.page([2, 3, 4], through: 4, more: true))
    #expect(feed.startReading() == nil, "the buffer is full")
    #expect(takeAll() == [1, 2, 3, 4])
    #expect(feed.startReading() == .init(after: 4, limit: 4))
    feed.read(Self.page([5], through: 5))
    #expect(takeAll() == [5])
    #expect(feed.startReading() == nil)
  }

  @Test("2.8 an event pushed while an older page is on its way is read after it")
  mutating func pushedDuringRead() {
    feed.began(acknowledged: 0, streamEnd: 2, followed: 2)
    #expect(feed.startReading() == .init(after: 0, limit: 4))
    feed.handed(Self.event(3))
    feed.read(Self.page([1, 2], through: 2))
    #expect(feed.startReading() == .init(after: 2, limit: 2))
    feed.read(Self.page([3], through: 3))
    #expect(takeAll() == [1, 2, 3])
  }

  @Test("Numbers of other games are not waited for")
  mutating func otherGames() {
    feed.began(acknowledged: 0, streamEnd: 0, followed: 0)
    feed.handed(Self.event(3, after: 0))
    feed.passed(from: 3, through: 5)
    feed.handed(Self.event(7, after: 5))
    #expect(feed.startReading() == nil)
    #expect(takeAll() == [3, 7])
    feed.passed(from: 9, through: 10)
    #expect(feed.startReading() == .init(after: 7, limit: 4))
    feed = EventFeed(capacity: 4)
    feed.began(acknowledged: 0, streamEnd: 3, followed: 3)
    #expect(feed.startReading() != nil)
    feed.read(Self.page([3], through: 3))
    #expect(takeAll() == [3])
    feed.began(acknowledged: 3, streamEnd: 7, followed: 7)
    #expect(feed.startReading() == .init(after: 3, limit: 4))
    feed.read(Self.page([], through: 7))
    #expect(feed.startReading() == nil)
    #expect(feed.consumedThrough == 7)
  }

  @Test("A full buffer takes nothing more; the rest is read when there is room")
  mutating func bounded() {
    feed.began(acknowledged: 0, streamEnd: 0, followed: 0)
    for sequence in 1...9 as ClosedRange<UInt64> { feed.handed(Self.event(sequence)) }
    #expect(feed.startReading() == nil)
    #expect(takeAll() == [1, 2, 3, 4])
    #expect(feed.startReading() == .init(after: 4, limit: 4))
    feed.read(Self.page([5, 6, 7, 8], through: 8, more: true))
    #expect(takeAll() == [5, 6, 7, 8])
    #expect(feed.startReading() == .init(after: 8, limit: 4))
  }

  @Test("After a resume it goes on from its own cursor")
  mutating func resume() {
    feed.began(acknowledged: 0, streamEnd: 2, followed: 2)
    #expect(feed.startReading() == .init(after: 0, limit: 4))
    feed.readFailed()
    feed.began(acknowledged: 0, streamEnd: 2, followed: 2)
    #expect(feed.startReading() == .init(after: 0, limit: 4))
    feed.read(Self.page([1, 2], through: 2))
    feed.began(acknowledged: 1, streamEnd: 2, followed: 2)
    #expect(feed.startReading() == nil)
    #expect(takeAll() == [1, 2])
  }

  @Test("An event counts as dealt with when the next one is asked for")
  mutating func consumed() {
    feed.began(acknowledged: 0, streamEnd: 0, followed: 0)
    #expect(feed.consumedThrough == 0)
    feed.handed(Self.event(1))
    feed.handed(Self.event(2))
    #expect(feed.consumedThrough == 0)
    _ = feed.take()
    #expect(feed.consumedThrough == 0)
    _ = feed.take()
    #expect(feed.consumedThrough == 1)
    _ = feed.take()
    #expect(feed.consumedThrough == 2)
  }

  @Test("What the server has forgotten is told, and a store that began anew is followed")
  mutating func losses() {
    feed = EventFeed(after: StreamPlace(), capacity: 4)
    feed.began(acknowledged: 7, streamEnd: 9, followed: 9)
    _ = feed.startReading()
    var reply = Self.page([5, 8], through: 8, more: true)
    reply.removedThrough = 7
    feed.read(reply)
    #expect(feed.take()?.isAfterLoss == true)
    #expect(feed.take()?.isAfterLoss == false)
    #expect(feed.startReading() == .init(after: 8, limit: 4))
    feed.read(Self.page([9], through: 9))
    #expect(feed.take()?.isAfterLoss == false)
    feed.began(acknowledged: 0, streamEnd: 1, followed: 1)
    #expect(feed.startReading() == .init(after: 0, limit: 4))
    feed.read(Self.page([1], through: 1))
    #expect(feed.take()?.isAfterLoss == true)
  }

  @Test("2.8 one loss is told once, though more of what is kept lies before its end")
  mutating func lossToldOnce() {
    feed = EventFeed(after: StreamPlace(), capacity: 4)
    feed.began(acknowledged: 7, streamEnd: 9, followed: 9)
    var isAfterLoss: [Bool?] = []
    for (events, through) in [([2, 3], 3), ([5], 5), ([], 9)] as [([UInt64], UInt64)] {
      _ = feed.startReading()
      var reply = Self.page(events, through: through)
      reply.removedThrough = 7
      feed.read(reply)
      while let event = feed.take() { isAfterLoss.append(event.isAfterLoss) }
    }
    #expect(isAfterLoss == [true, false, false])
  }

  @Test("2.8 a place that the game has kept counts when the server has said that it is one")
  mutating func keptPlace() {
    let place = StreamPlace(4, EventID(high: 1, low: 4))
    feed = EventFeed(after: place, capacity: 4)
    feed.began(acknowledged: 1, streamEnd: 4, followed: 4)
    feed.handed(Self.event(5))
    #expect(feed.take() == nil && feed.consumedThrough == nil)
    #expect(feed.startReading() == .init(after: 4, limit: 4, event: place.event))
    feed.read(Self.page([5], through: 5))
    #expect(feed.take()?.isAfterLoss == false)
    feed.handed(Self.event(6))
    #expect(feed.take()?.sequence == 6 && feed.startReading() == nil)

    feed = EventFeed(after: place, capacity: 4)
    feed.began(acknowledged: 1, streamEnd: 4, followed: 4)
    _ = feed.startReading()
    // It is refused.
    feed.forget()
    feed.began(acknowledged: 1, streamEnd: 4, followed: 4)
    #expect(feed.startReading() == .init(after: 1, limit: 4))
    feed.read(Self.page([2, 3, 4], through: 4))
    #expect(feed.take()?.isAfterLoss == true)
  }

  @Test("2.8 a session without a place is told what is gone behind what it has acknowledged")
  mutating func lossBeforeTheFirst() {
    for isTaken in [false, true] {
      feed = EventFeed(capacity: 4)
      feed.handed(Self.event(90, after: 80))
      if isTaken { _ = feed.take() }
      feed.began(acknowledged: 50, streamEnd: 90, followed: 90, removedThrough: 80)
      feed.handed(Self.event(91))
      #expect(feed.take()?.isAfterLoss == true)
      #expect(feed.take()?.isAfterLoss != true)
    }
  }

  @Test("2.11 a gap in the stream is told; the place of what another game has read is none")
  mutating func gaps() {
    feed.began(acknowledged: 3, streamEnd: 9, followed: 9)
    _ = feed.startReading()
    var reply = Self.page([8, 9], through: 9)
    reply.events[1].kind = EventsDropped.opcode.rawValue
    feed.read(reply)
    let events = [feed.take(), feed.take()]
    #expect(events.map { $0?.isAfterLoss } == [false, true])
  }

  @Test("2.8 a place that was lost and the events that are gone behind the new one are one loss")
  mutating func oneLoss() {
    feed.began(acknowledged: 5, streamEnd: 5, followed: 5)
    feed.forget()
    feed.handed(Self.event(6))
    #expect(feed.take()?.isAfterLoss == true)
    feed.began(acknowledged: 0, streamEnd: 6, followed: 6, removedThrough: 5)
    feed.handed(Self.event(7))
    #expect(feed.take()?.isAfterLoss == false)
  }

  @Test("2.8 what is of a stream that has gone back is forgotten, and told with the next event")
  mutating func goesBack() {
    feed.began(acknowledged: 5, streamEnd: 9, followed: 5)
    for sequence in 6...8 as ClosedRange<UInt64> { feed.handed(Self.event(sequence)) }
    #expect(feed.take()?.sequence == 6)
    feed.forget()
    #expect(feed.consumedThrough == nil && feed.take() == nil)
    feed.handed(Self.event(6))
    feed.began(acknowledged: 5, streamEnd: 6, followed: 6)
    feed.handed(Self.event(7))
    #expect(feed.startReading() == nil)
    let events = [feed.take(), feed.take()]
    #expect(events.map { $0?.sequence } == [6, 7])
    #expect(events.map { $0?.isAfterLoss } == [true, false])
  }

  @Test("A cursor at the end of all numbers, from whatever side, is no end of the process")
  mutating func greatestNumbers() {
    feed.began(acknowledged: .max, streamEnd: .max, followed: .max)
    feed.handed(Self.event(.max))
    #expect(feed.take() == nil)
    feed = EventFeed(capacity: 4)
    feed.began(acknowledged: 0, streamEnd: 1, followed: 1)
    _ = feed.startReading()
    feed.read(Self.page([], through: .max))
    feed.handed(Self.event(2))
    #expect(feed.take() == nil)
    feed.began(acknowledged: 0, streamEnd: 1, followed: 1)
    #expect(feed.startReading() == .init(after: 0, limit: 4))
  }
}
