import Locking
import Synchronization
import TestKit
import Testing
import Transport

@Suite("Loop", .endsAtLast)
struct LoopTests {
  @Test("Timers run in the order of their times, once each")
  func order() async throws {
    try await withLoop { thread in
      let done = Promise<[Int]>()
      await thread.run { loop in
        var ran: [Int] = []
        loop.after(30) {
          ran.append(3)
          done.set(ran)
        }
        loop.after(1) { ran.append(1) }
        loop.after(10) { ran.append(2) }
      }
      #expect(await done.value == [1, 2, 3])
    }
  }

  @Test("A cancelled timer never runs, and may be cancelled again, also by itself")
  func cancel() async throws {
    try await withLoop { thread in
      let done = Promise<Int>()
      await thread.run { loop in
        var ran = 0
        let never = loop.after(1) { ran += 100 }
        never.cancel()
        never.cancel()
        var every: LoopTimer?
        every = loop.every(1) {
          ran += 1
          if ran == 3 {
            every?.cancel()
            every?.cancel()
            loop.after(20) { done.set(ran) }
          }
        }
      }
      #expect(await done.value == 3)
    }
  }

  @Test("Messages from many threads all arrive, each sender's in its order")
  func mailbox() async throws {
    try await withLoop { thread in
      let done = Promise<Bool>()
      let mailbox = await thread.run { loop in
        var last = [Int](repeating: -1, count: 8)
        var count = 0
        var inOrder = true
        return loop.mailbox { (message: (Int, Int)) in
          inOrder = inOrder && last[message.0] == message.1 - 1
          last[message.0] = message.1
          count += 1
          if count == 8 * 1_000 { done.set(inOrder) }
        }
      }
      await withTaskGroup(of: Void.self) { group in
        for sender in 0..<8 {
          group.addTask { for number in 0..<1_000 { mailbox.send((sender, number)) } }
        }
      }
      #expect(await done.value)
    }
  }

  @Test("What the loop's own thread sends is handled in the same turn, in order")
  func ownMessages() async throws {
    try await withLoop { thread in
      let done = Promise<[Int]>()
      await thread.run { loop in
        var handled: [Int] = []
        let mailbox = loop.mailbox { (message: Int) in handled.append(message) }
        loop.after(1) {
          mailbox.send(1)
          mailbox.send(2)
          loop.atEndOfTurn {
            done.set(handled)
            _ = mailbox
          }
        }
      }
      #expect(await done.value == [1, 2])
    }
  }

  @Test("Work runs elsewhere and comes back to the loop")
  func work() async throws {
    try await withLoop { thread in
      let done = Promise<Bool>()
      await thread.run { loop in
        let executor = thread.executor
        loop.work {
          executor.isIsolatingCurrentContext() ?? true
        } then: { wasOnLoop in
          done.set(!wasOnLoop && executor.isIsolatingCurrentContext() == true)
        }
      }
      #expect(await done.value)
    }
  }

  @Test("What is asked for the end of a turn runs once, and what that asks runs in the next")
  func endOfTurn() async throws {
    try await withLoop { thread in
      let done = Promise<[String]>()
      await thread.run { loop in
        var ran: [String] = []
        loop.atEndOfTurn {
          ran.append("first")
          loop.atEndOfTurn {
            ran.append("third")
            done.set(ran)
          }
        }
        loop.atEndOfTurn { ran.append("second") }
      }
      #expect(await done.value == ["first", "second", "third"])
    }
  }

  @Test("Another actor runs on the same loop and is entered from callbacks without a task")
  func actorOnLoop() async throws {
    try await withLoop { thread in
      let counter = Counter(thread)
      let done = Promise<Int>()
      await counter.count(to: 3) { done.set($0) }
      #expect(await done.value == 3)
    }
  }

  @Test("A job that comes after the end still runs")
  func late() async throws {
    let thread = LoopThread(name: "late")
    thread.stop()
    await thread.stopped()
    let value = await thread.run { loop in
      loop.after(1) {}
      return 5
    }
    #expect(value == 5)
  }

  @Test("What is sent to a loop that ends or has ended is let go of, though the mailbox lives on")
  func mailboxOfEndedLoop() async throws {
    let (before, atEnd, after) = (Promise<Bool>(), Promise<Bool>(), Promise<Bool>())
    let thread = LoopThread(name: "ended")
    let mailbox = await thread.run { loop in
      let mailbox = loop.mailbox { (token: Token) in token.isHandled.withLock { $0 = true } }
      mailbox.send(Token(before))
      // Connections hear of the end after the last look into mailboxes.
      let ends = LocalTransport.pair(on: loop)
      let peer = Peer()
      peer.ready = { _ in thread.stop() }
      peer.closed = { _ in mailbox.send(Token(atEnd)) }
      ends.client.delegate = peer
      ends.server.delegate = Peer()
      return mailbox
    }
    await thread.stopped()
    mailbox.send(Token(after))
    #expect(await before.value)
    #expect(await atEnd.value == false)
    #expect(await after.value == false)
    withExtendedLifetime(mailbox) {}
  }

  @Test("Kept objects are found again by their type")
  func kept() async throws {
    try await withLoop { thread in
      await thread.run { loop in loop.keep(Peer()) }
      #expect(await thread.run { loop in loop.keptObject(Peer.self) != nil })
      #expect(await thread.run { loop in loop.keptObject(Listener.self) == nil })
    }
  }
}

/// Tells when it is released, and whether it was handled before.
private final class Token: Sendable {
  let isHandled = Locked(false)
  private let gone: Promise<Bool>

  init(_ gone: Promise<Bool>) { self.gone = gone }
  deinit { gone.set(isHandled.withLock { $0 }) }
}

private actor Counter {
  private let thread: LoopThread
  private var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.unownedExecutor }

  init(_ thread: LoopThread) { self.thread = thread }

  func count(to end: Int, then: @escaping @Sendable (Int) -> Void) {
    let loop = thread.executor.loop(for: self)
    loop.every(1) { [weak self] in
      self?.assumeIsolated { counter in
        counter.count += 1
        if counter.count == end { then(end) }
      }
    }
  }
}
