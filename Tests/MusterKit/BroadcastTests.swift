import Foundation
import Locking
import Testing

@testable import MusterKit

@Suite struct BroadcastTests {
  #if os(Linux)
    @Test("a consumer whose task is cancelled while something is sent holds nobody up")
    func cancelledWhileSent() async {
      // In a process of its own, which the alarm ends when two of its threads wait for each other.
      await #expect(processExitsWith: .success) {
        alarm(60)
        let broadcast = Broadcast<Int>(waitingMax: 8)
        let isOver = Locked(false)
        let sender = Thread { while !isOver.withLock({ $0 }) { broadcast.send(1) } }
        sender.start()
        for _ in 0..<2_000 {
          let consumer = Task { for await _ in broadcast.stream() {} }
          await Task.yield()
          consumer.cancel()
          await consumer.value
        }
        isOver.withLock { $0 = true }
      }
    }
  #endif

  @Test("each consumer has what is sent from when it came")
  func consumers() async {
    let broadcast = Broadcast<Int>(waitingMax: 2)
    broadcast.send(1)
    var one = broadcast.stream(beginningWith: 0).makeAsyncIterator()
    broadcast.send(2)
    var other = broadcast.stream().makeAsyncIterator()
    for number in 3...5 { broadcast.send(number) }
    broadcast.close()
    #expect(await one.next() == 4)
    #expect(await other.next() == 4)
    #expect(await one.next() == 5)
    #expect(await one.next() == nil)
  }
}
