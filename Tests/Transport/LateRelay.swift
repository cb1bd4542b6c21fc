import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A network between one client and a server that brings the last byte of everything the client sends
/// a good while after the rest.
final class LateRelay: Sendable {
  private static let lateMicroseconds: UInt32 = 50_000
  let port: UInt16

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
    Thread.detachNewThread {
      let client = accept(listener, nil, nil)
      close(listener)
      guard client >= 0, let upstream = try? Self.connected(to: server) else { return }
      Thread.detachNewThread { Self.copy(from: upstream, to: client, lateMicroseconds: 0) }
      Self.copy(from: client, to: upstream, lateMicroseconds: Self.lateMicroseconds)
      // Wakes the other thread, which closes nothing.
      shutdown(upstream, Int32(SHUT_RDWR))
      shutdown(client, Int32(SHUT_RDWR))
    }
  }

  private static func copy(from: Int32, to: Int32, lateMicroseconds: UInt32) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe read(from, &buffer, buffer.count)
      if count <= 0 { break }
      if lateMicroseconds > 0 && count > 1 {
        guard unsafe write(to, buffer, count - 1) == count - 1 else { break }
        usleep(lateMicroseconds)
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
