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

  struct SocketFault: Error { let number: Int32 }

  init(to server: UInt16) throws {
    let listener = try Self.make()
    var own = Self.address(0)
    try Self.check(unsafe Self.with(&own) { unsafe bind(listener, $0, $1) })
    try Self.check(listen(listener, 1))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try Self.check(
      unsafe Self.with(&own) { address, _ in
        unsafe getsockname(listener, UnsafeMutablePointer(mutating: address), &size)
      })
    port = UInt16(bigEndian: own.sin_port)
    let ticks = Ticks()
    self.ticks = ticks
    Thread.detachNewThread {
      let client = accept(listener, nil, nil)
      close(listener)
      guard client >= 0, let upstream = try? Self.connected(to: server) else { return }
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

  private static func connected(to port: UInt16) throws -> Int32 {
    let descriptor = try make()
    var target = address(port)
    try check(unsafe with(&target) { unsafe connect(descriptor, $0, $1) })
    return descriptor
  }

  private static func make() throws -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    try check(descriptor)
    return descriptor
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private static func with<Value>(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func check(_ result: Int32) throws {
    if result < 0 { throw SocketFault(number: errno) }
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
