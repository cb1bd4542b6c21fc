import Testing

@testable import ServiceKit

@Suite struct CommitWatchTests {
  @Test("a batch that stays away is told after five seconds, once a minute, and at its end")
  func stuck() {
    var watch = CommitWatch()
    #expect(watch.look(at: 90_000) == nil && watch.waiting(at: 90_000) == 0)
    watch.submitted(at: 100_000)
    #expect(watch.look(at: 104_999) == nil && watch.waiting(at: 104_999) == 4_999)
    #expect(watch.look(at: 105_000) == 5_000)
    #expect(watch.look(at: 164_999) == nil && watch.look(at: 165_000) == 65_000)
    #expect(watch.committed(at: 170_000) == 70_000)
    #expect(watch.waiting(at: 180_000) == 0 && watch.look(at: 180_000) == nil)
  }

  @Test("batches that come in time are not told, however many they are")
  func flowing() {
    var watch = CommitWatch()
    for batch in UInt64(0)..<100 {
      watch.submitted(at: batch * 1_000)
      #expect(watch.look(at: batch * 1_000 + 999) == nil)
      #expect(watch.committed(at: batch * 1_000 + 999) == nil)
    }
    // What was told of one batch is nothing about the next.
    watch.submitted(at: 200_000)
    #expect(watch.look(at: 205_000) != nil && watch.committed(at: 206_000) != nil)
    watch.submitted(at: 206_000)
    #expect(watch.look(at: 210_999) == nil && watch.look(at: 211_000) == 5_000)
  }
}
