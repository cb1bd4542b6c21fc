import Locking
import Operations
import TestKit
import Testing
import Transport

@testable import ServiceKit

@Suite(.endsAtLast) struct RepeatedLookTests {
  private struct Looks {
    var begunCount = 0
    var hangs = false
  }

  private struct Seen {
    var whileOneHung: Int
    var latest: Int
  }

  @Test("while a look hangs no other is begun, and when it has ended they go on")
  func oneAtATime() async {
    let thread = LoopThread(name: "look")
    let looks = Locked(Looks())
    let seen = await withCheckedContinuation { continuation in
      Task {
        await thread.run { loop in
          let look = RepeatedLook(on: loop, everyMilliseconds: 1) {
            let number = looks.withLock { looks in
              looks.begunCount += 1
              return looks.begunCount
            }
            looks.wait { !$0.hangs }
            return number
          }
          looks.withLock { $0.hangs = true }
          loop.keep(look)
          var (ticks, whileOneHung) = (0, 0)
          var timer: LoopTimer?
          timer = loop.every(1) {
            let begun = looks.withLock { $0.begunCount }
            // The first was on the loop, and the second hangs.
            if begun >= 2 { ticks += 1 }
            if ticks == 20 {
              whileOneHung = begun
              looks.withLock { $0.hangs = false }
              looks.wake()
            }
            guard ticks > 20, begun > whileOneHung + 1 else { return }
            timer?.cancel()
            continuation.resume(returning: Seen(whileOneHung: whileOneHung, latest: look.latest))
          }
        }
      }
    }
    thread.stop()
    await thread.stopped()
    #expect(seen.whileOneHung == 2 && seen.latest >= 2)
  }

  @Test("what the system says of a process is there from the start")
  func figures() async {
    let thread = LoopThread(name: "figures")
    let status = await thread.run { loop in
      let metrics = Metrics(.process)
      metrics.set(RepeatedLook(on: loop) { ProcessFigures.read() }.latest)
      return metrics.values.status
    }
    thread.stop()
    await thread.stopped()
    for name in ["process.memory", "process.descriptors"] {
      #expect(status.contains { $0.name == name && $0.value > 0 })
    }
  }
}
