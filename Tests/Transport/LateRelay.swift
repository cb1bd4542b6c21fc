import Foundation
import Locking

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A network between one client and a server that brings the last byte of everything the client
/// sends some ticks of the test after the rest.
final class LateRelay: Sendable {
  private static let lateTicks = 5
  let port: UInt16
  private let ticks: Ticks

  init(to server: UInt16) throws {
    let listener: Int32
    (listener, port) = try RawSocket.listening()
    let ticks = Ticks()
    self.ticks = ticks
    Thread.detachNewThread {
      let client = accept(listener, nil, nil)
      close(listener)
      guard client >= 0, let upstream = try? RawSocket.connected(to: server) else { return }
      Thread.detachNewThread { Self.copy(from: upstream, to: client, late: nil) }
      Self.copy(from: client, to: upstream, late: ticks)
      // Wakes the other thread, which closes nothing.
      shutdown(upstream, Int32(SHUT_RDWR))
      shutdown(client, Int32(SHUT_RDWR))
    }
  }

  func tick() { ticks.add() }

  /// Holds nothing back any more.
  func end() { ticks.end() }

  private static func copy(from: Int32, to: Int32, late ticks: Ticks?) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe read(from, &buffer, buffer.count)
      if count <= 0 { break }
      if let ticks, count > 1 {
        guard unsafe write(to, buffer, count - 1) == count - 1 else { break }
        ticks.wait(lateTicks)
        guard unsafe write(to, [buffer[count - 1]], 1) == 1 else { break }
      } else if unsafe write(to, buffer, count) != count {
        break
      }
    }
    shutdown(to, Int32(SHUT_WR))
  }
}

/// Counts the test's ticks; a thread can wait for some more of them.
private final class Ticks: Sendable {
  private struct State {
    var count = 0
    var hasEnded = false
  }
  private let condition = NSCondition()
  private let state = Locked(State())

  func add() { change { $0.count += 1 } }
  func end() { change { $0.hasEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    condition.lock()
    state.withLock(body)
    condition.broadcast()
    condition.unlock()
  }

  /// Returns after so many more ticks.
  func wait(_ more: Int) {
    condition.lock()
    let due = state.withLock { $0.count } + more
    while !state.withLock({ $0.hasEnded || $0.count >= due }) { condition.wait() }
    condition.unlock()
  }
}
