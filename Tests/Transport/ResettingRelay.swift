import Foundation
import Locking

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A network between one client and a server that resets the client's connection when it has
/// brought so many bytes of the server's after `arm` was called.
final class ResettingRelay: Sendable {
  let port: UInt16
  private let left = Locked<Int?>(nil)
  private let isReset = DispatchSemaphore(value: 0)

  init(to server: UInt16) throws {
    let listener: Int32
    (listener, port) = try RawSocket.listening()
    Thread.detachNewThread { [self] in
      let client = accept(listener, nil, nil)
      close(listener)
      guard client >= 0, let upstream = try? RawSocket.connected(to: server) else { return }
      let hasLeft = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [self] in
        while copy(from: client, to: upstream, counts: false) {}
        hasLeft.signal()
      }
      while copy(from: upstream, to: client, counts: true) {}
      // The system ends a connection when nobody uses its descriptor any more.
      shutdown(client, Int32(SHUT_RD))
      hasLeft.wait()
      RawSocket.reset(client)
      shutdown(upstream, Int32(SHUT_RDWR))
      isReset.signal()
    }
  }

  func arm(_ bytes: Int) { left.withLock { $0 = bytes } }

  func waitForReset() { isReset.wait() }

  private func copy(from: Int32, to: Int32, counts: Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4 << 10)
    let count = unsafe read(from, &buffer, buffer.count)
    guard count > 0, unsafe write(to, buffer, count) == count else { return false }
    return !counts
      || left.withLock { left in
        left = left.map { $0 - count }
        return left.map { $0 > 0 } ?? true
      }
  }
}
