import Foundation

/// A TCP socket on loopback that blocks, for threads of tests. Closing it is its owner's business.
struct LoopbackSocket: Sendable {
  let descriptor: Int32

  /// Listens on a port that the system chooses.
  static func listening() throws -> (LoopbackSocket, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, size) + getsockname(descriptor, generic, &size)
      }
    }
    guard descriptor >= 0, result == 0, listen(descriptor, 64) == 0 else {
      throw ServerProcess.Failed(description: "cannot listen: errno \(errno)")
    }
    return (LoopbackSocket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
  }

  /// Connects to a port; nil when nobody listens there.
  static func connected(to port: UInt16) -> LoopbackSocket? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = loopback(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe connect(descriptor, generic, size)
      }
    }
    if result == 0 { return LoopbackSocket(descriptor: descriptor) }
    Foundation.close(descriptor)
    return nil
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  /// Waits for a connection; nil when the socket was shut down.
  func accepted() -> LoopbackSocket? {
    let client = Self.uninterrupted { accept(descriptor, nil, nil) }
    return client < 0 ? nil : LoopbackSocket(descriptor: client)
  }

  /// Waits for bytes, at most as many as `buffer` holds; 0 at the end of the stream or after an
  /// error.
  func read(into buffer: inout [UInt8]) -> Int {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      Self.uninterrupted { unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0) }
    }
    return max(0, count)
  }

  /// Writes all of the bytes; false when the stream is broken.
  func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        Self.uninterrupted {
          unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Calls again what a signal has interrupted: a test's processes end and signal that.
  private static func uninterrupted<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR && errno != ECONNABORTED { return count }
    }
  }

  /// Ends both directions, which wakes every thread that waits for the socket.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends the connection as well: a process that was started meanwhile may have the descriptor too,
  /// and would keep the connection open.
  func close() {
    shutDown()
    _ = Foundation.close(descriptor)
  }
}
