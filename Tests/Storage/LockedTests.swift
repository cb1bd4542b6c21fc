import Locking
import TestKit
import Testing

@Suite(.endsAtLast)
struct LockedTests {
  @Test("threads that change a value lose nothing, and who waits for all of it goes on")
  func counts() {
    let count = Locked(0)
    for _ in 0..<8 {
      SystemThread.start("test.count") {
        for _ in 0..<1000 {
          count.withLock { $0 += 1 }
          count.wake()
        }
      }
    }
    count.wait { $0 == 8000 }
    #expect(count.withLock { $0 } == 8000)
  }

  @Test("what wakes may be something else than the value")
  func wakesForOthers() {
    let value = Locked(0)
    let other = Locked(false)
    SystemThread.start("test.other") {
      other.withLock { $0 = true }
      value.wake()
    }
    value.wait { _ in other.withLock { $0 } }
    #expect(other.withLock { $0 })
  }

  @Test("a wait with a bound ends by itself, and not before")
  func bound() {
    let never = Locked(())
    let began = SuspendingClock.now
    never.wait(seconds: 0.02) { _ in false }
    #expect(SuspendingClock.now - began >= .milliseconds(20))
    never.wait(seconds: -1) { _ in false }
    never.wait(seconds: 60) { _ in true }
  }
}
