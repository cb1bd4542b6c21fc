import Operations
import Testing
import Wire

@testable import MusterKit

@Suite("Stream follower")
struct StreamFollowerTests {
  var follower = StreamFollower()

  static func started(_ replayed: UInt64, of end: UInt64, acknowledged: UInt64 = 0)
    -> SessionStarted
  {
    var started = SessionStarted()
    started.acknowledged = acknowledged
    started.replayedThrough = replayed
    started.streamEnd = end
    return started
  }

  mutating func takes(_ sequence: UInt64, after: UInt64) -> Bool {
    follower.takes(EventFeedTests.event(sequence, after: after))
  }

  @Test("2.8 what was not pushed is read before anything newer counts as known")
  mutating func readsOn() {
    let first = takes(3, after: 2)
    #expect(first && follower.place?.sequence == 3, "the replay comes before the session's answer")
    follower.began(Self.started(4, of: 193, acknowledged: 2))
    #expect(follower.place?.sequence == 4, "the fourth was of another game")
    #expect(follower.startReading() == .init(after: 4, limit: 100))
    #expect(follower.startReading() == nil && !follower.isUpToDate)
    let read = follower.read(EventFeedTests.page([4, 6, 90], through: 100, more: true))
    #expect(read.map(\.sequence) == [6, 90] && follower.place?.sequence == 100)
    #expect(follower.startReading() == .init(after: 100, limit: 100))
    // It reads on behind this one, which came before the answer.
    let pushed = takes(194, after: 193)
    #expect(!pushed)
    _ = follower.read(EventFeedTests.page([193], through: 193))
    #expect(follower.startReading() == .init(after: 193, limit: 100))
    _ = follower.read(EventFeedTests.page([194], through: 194))
    #expect(follower.isUpToDate && follower.place?.sequence == 194)
  }

  @Test("2.8 what is appended while it reads is read on for, as long as the server has more")
  mutating func appendedWhileReading() {
    follower.began(Self.started(2, of: 4))
    _ = follower.startReading()
    _ = follower.read(EventFeedTests.page([3, 4], through: 4, more: true))
    #expect(!follower.isUpToDate && follower.startReading() == .init(after: 4, limit: 100))
    _ = follower.read(EventFeedTests.page([5], through: 5))
    #expect(follower.isUpToDate && follower.startReading() == nil)
  }

  @Test("2.8 a session behind removed events is read on for, so that the loss is told")
  mutating func removedBehindThePlace() {
    follower.began(Self.started(20, of: 20))
    let replayed = [takes(8_745, after: 8_744), takes(8_844, after: 8_745)]
    #expect(replayed == [false, false])
    var started = Self.started(8_844, of: 9_000, acknowledged: 9_000)
    started.removedThrough = 8_744
    follower.began(started)
    #expect(follower.place?.sequence == 20)
    #expect(follower.startReading() == .init(after: 20, limit: 100))
    var page = EventFeedTests.page([8_745], through: 9_000)
    page.removedThrough = 8_744
    _ = follower.read(page)
    // Nothing is left to push, and it is told all the same.
    started = Self.started(9_300, of: 9_300, acknowledged: 9_300)
    started.removedThrough = 9_044
    follower.began(started)
    #expect(follower.startReading() == .init(after: 9_000, limit: 100))
    _ = follower.read(EventFeedTests.page([], through: 9_300))
    follower.began(started)
    #expect(follower.place?.sequence == 9_300 && follower.isUpToDate)
  }

  @Test("2.8 the next event is taken, over numbers of other games; a double and a gap are not")
  mutating func pushes() {
    follower.began(Self.started(10, of: 10, acknowledged: 10))
    let taken = [
      takes(13, after: 10), takes(13, after: 10), takes(9, after: 8), takes(14, after: 13),
      takes(17, after: 15),
    ]
    #expect(taken == [true, false, false, true, false])
    #expect(follower.startReading() == .init(after: 14, limit: 100))
    follower.readFailed()
    #expect(follower.startReading() == .init(after: 14, limit: 100))
  }

  @Test("A server that has nothing more is not asked again and again")
  mutating func atEnd() {
    follower.began(Self.started(0, of: 9))
    #expect(follower.startReading() != nil)
    _ = follower.read(EventFeedTests.page([], through: 4))
    #expect(follower.startReading() == nil && follower.isUpToDate)
  }

  @Test("2.8 a place has the identifier of the event there, also of another game's")
  mutating func places() {
    var started = Self.started(4, of: 9)
    started.replayedEvent = EventID(high: 1, low: 4)
    follower.began(started)
    #expect(follower.place == StreamPlace(4, started.replayedEvent))
    _ = follower.startReading()
    var page = EventFeedTests.page([5], through: 9)
    page.throughEvent = EventID(high: 1, low: 9)
    _ = follower.read(page)
    #expect(follower.place == StreamPlace(9, page.throughEvent))
    var event = EventFeedTests.event(10)
    event.id = EventID(high: 1, low: 10)
    _ = follower.takes(event)
    follower.began(Self.started(10, of: 10))
    #expect(follower.place == StreamPlace(10, event.id))
  }
}
