import Testing
import Transport

@testable import ServiceKit

private let away = CloseReason.connect("nobody listens")
private let stopped = CloseReason.endOfStream
private let stranger = CloseReason.handshake("certificate verify failed")

@Suite struct ServiceWatchTests {
  private typealias Note = ServiceWatch.Note
  private static let patience = ServiceWatch.patienceMilliseconds

  /// One that was there from the time 1000 on.
  private func there(links: Int = 1) -> ServiceWatch {
    var watch = ServiceWatch(links: 1...links, now: 0)
    for link in 1...links { watch.opened(link, now: 0) }
    #expect(watch.look(now: 1000) == Note(level: .info, event: "service reached"))
    #expect(watch.isThere)
    return watch
  }

  @Test("at the start a process that is not there yet is told once, and is a warning after a while")
  func start() {
    var watch = ServiceWatch(links: [1], now: 100)
    #expect(
      watch.failed(1, away, wasServed: false, now: 110)
        == Note(level: .info, event: "service not reached", reason: away))
    #expect(watch.failed(1, away, wasServed: false, now: 400) == nil)
    #expect(watch.look(now: 100 + Self.patience - 1) == nil)
    #expect(
      watch.look(now: 100 + Self.patience)
        == Note(level: .warning, event: "service not reached", reason: away, seconds: 5))
    watch.opened(1, now: 6000)
    #expect(watch.look(now: 6999) == nil && !watch.isThere)
    #expect(watch.look(now: 7000) == Note(level: .info, event: "service reached"))
    #expect(watch.look(now: 700_000) == nil)
  }

  @Test("a broken connection is a warning at once, one that the process ended is none at first")
  func loss() {
    let broken = CloseReason.reset("connection reset by peer")
    for (reason, isOrdinary, level) in [
      (broken, false, Log.Level.warning), (stopped, true, .info),
    ] {
      var watch = there()
      #expect(
        watch.failed(1, reason, wasServed: true, now: 2000)
          == Note(level: level, event: "service lost", reason: reason))
      #expect(watch.failed(1, away, wasServed: false, now: 2100) == nil)
      let first = isOrdinary ? Self.patience : 10_000
      #expect(watch.look(now: 2000 + first - 1) == nil)
      #expect(
        watch.look(now: 2000 + first)
          == Note(level: .warning, event: "service lost", reason: away, seconds: first / 1000))
      watch.opened(1, now: 20_000)
      #expect(
        watch.look(now: 21_000) == Note(level: .info, event: "service back", seconds: 18))
    }
  }

  @Test("warnings about a process that stays away come at intervals that double up to a bound")
  func intervals() {
    var watch = there()
    _ = watch.failed(1, stopped, wasServed: false, now: 0)
    var seconds: [UInt64] = []
    for now in stride(from: UInt64(0), through: 3_000_000, by: 1000) {
      guard let note = watch.look(now: now) else { continue }
      #expect(note.level == .warning && note.event == "service lost")
      seconds.append(note.seconds ?? 0)
    }
    #expect(seconds == [5, 15, 35, 75, 155, 315, 635, 1235, 1835, 2435])
  }

  @Test("a peer that refuses this process is told by each reason once, and is not there for it")
  func refusal() {
    var watch = ServiceWatch(links: [1], now: 0)
    for round in 0..<5 as Range<UInt64> {
      watch.opened(1, now: round * 900)
      #expect(watch.look(now: round * 900 + 500) == nil)
      let note = watch.failed(1, stranger, wasServed: false, now: round * 900 + 600)
      #expect(
        note
          == (round == 0
            ? Note(level: .warning, event: "service refused", reason: stranger) : nil))
    }
    #expect(!watch.isThere)
    #expect(watch.look(now: 5000)?.seconds == 5)
    var other = ServiceWatch(links: [1], now: 0)
    other.opened(1, now: 0)
    #expect(
      other.failed(1, stopped, wasServed: false, now: 20)
        == Note(level: .warning, event: "service refused", reason: stopped))
    for number in 0..<20 {
      let reason = CloseReason.handshake("\(number)")
      let isTold = watch.failed(1, reason, wasServed: false, now: 6000) != nil
      #expect(isTold == (number < ServiceWatch.reasonsMax - 1))
    }
  }

  @Test("a process is lost when one of several loops has lost it, and back when all have it")
  func loops() {
    var watch = there(links: 3)
    #expect(watch.failed(2, stopped, wasServed: false, now: 2000)?.event == "service lost")
    #expect(watch.failed(1, stopped, wasServed: false, now: 2001) == nil)
    watch.opened(1, now: 3000)
    #expect(watch.look(now: 4500) == nil)
    watch.opened(2, now: 5000)
    #expect(watch.look(now: 5500) == nil)
    #expect(watch.look(now: 6000) == Note(level: .info, event: "service back", seconds: 3))
    // A loop whose clock is a turn behind.
    _ = watch.failed(3, stopped, wasServed: false, now: 7000)
    watch.opened(3, now: 6990)
    #expect(watch.look(now: 8000)?.seconds == 0)
  }
}
