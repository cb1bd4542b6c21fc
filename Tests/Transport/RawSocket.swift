#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// TCP sockets on loopback that block, for the networks of these tests.
enum RawSocket {
  struct Fault: Error { let number: Int32 }

  /// Listens for one connection, on a port that the system chooses.
  static func listening() throws -> (descriptor: Int32, port: UInt16) {
    let listener = try make()
    var own = address(0)
    try check(unsafe with(&own) { unsafe bind(listener, $0, $1) })
    try check(listen(listener, 1))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try check(
      unsafe with(&own) { address, _ in
        unsafe getsockname(listener, UnsafeMutablePointer(mutating: address), &size)
      })
    return (listener, UInt16(bigEndian: own.sin_port))
  }

  static func connected(to port: UInt16) throws -> Int32 {
    let descriptor = try make()
    var target = address(port)
    try check(unsafe with(&target) { unsafe connect(descriptor, $0, $1) })
    return descriptor
  }

  /// Two ends of a connection in which all that was written can be read at once: no network delays
  /// a part of it.
  static func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      try check(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends))
    #else
      try check(unsafe socketpair(AF_UNIX, SOCK_STREAM, 0, &ends))
    #endif
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  /// Closes a connection so that its peer is told of a fault, and of no end.
  static func reset(_ descriptor: Int32) {
    var now = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
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
    if result < 0 { throw Fault(number: errno) }
  }
}
