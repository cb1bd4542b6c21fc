internal import CUV
internal import Wire

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A network address, as the system takes it and as a person reads it.
struct SocketAddress: Equatable, Sendable {
  var bytes: [UInt8]
  var family: Int32
  var text: String

  /// Returns all addresses of `host`. It blocks, so a loop's thread must not call it except at the
  /// start.
  /// - Parameter passive: the address is to listen on; an empty host then means every address.
  static func resolve(_ host: String, _ port: UInt16, passive: Bool) -> Result<
    [SocketAddress], CloseReason
  > {
    var hints = unsafe addrinfo()
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    unsafe hints.ai_flags = passive ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list)
    guard status == 0 else {
      return .failure(.connect("\(host): \(unsafe String(cString: gai_strerror(status)))"))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let info = unsafe next {
      if let raw = unsafe info.pointee.ai_addr {
        let count = unsafe Int(info.pointee.ai_addrlen)
        addresses.append(unsafe SocketAddress(UnsafeRawBufferPointer(start: raw, count: count)))
      }
      unsafe next = info.pointee.ai_next
    }
    return .success(addresses)
  }

  @unsafe
  init(_ raw: UnsafeRawBufferPointer) {
    unsafe bytes = Array(raw)
    guard let base = raw.baseAddress else {
      family = 0
      text = "unknown"
      return
    }
    let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
    family = unsafe Int32(address.pointee.sa_family)
    var host = [CChar](repeating: 0, count: 64)
    var service = [CChar](repeating: 0, count: 16)
    unsafe getnameinfo(
      address, socklen_t(raw.count), &host, socklen_t(host.count), &service,
      socklen_t(service.count), NI_NUMERICHOST | NI_NUMERICSERV)
    let name = Self.string(host)
    text = (name.contains(":") ? "[\(name)]" : name) + ":" + Self.string(service)
  }

  var isIPv4: Bool { family == AF_INET }

  /// The address as one of IPv6, in two halves; 0 where it is none of the network.
  var words: (high: UInt64, low: UInt64) {
    func integer(at place: Int, _ count: Int) -> UInt64 {
      bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    // Family and port come first; an IPv6 address has the label of its flow besides.
    if family == AF_INET6, bytes.count >= 24 { return (integer(at: 8, 8), integer(at: 16, 8)) }
    if isIPv4, bytes.count >= 8 { return (0, 0xffff << 32 | integer(at: 4, 4)) }
    return (0, 0)
  }

  /// Whom a connection from here is counted by.
  var host: PeerHost { PeerHost(ipv6: words.high, low: words.low) }

  /// The address that a text names itself; nil for a name.
  static func numeric(_ text: String) -> SocketAddress? {
    guard !text.isEmpty, text.allSatisfy({ $0.isHexDigit || ".:".contains($0) }),
      text.contains(".") || text.contains(":"),
      case .success(let found) = resolve(text, 0, passive: false)
    else { return nil }
    return found.first
  }

  private static func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func with<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    unsafe bytes.withUnsafeBytes { raw in
      let base = unsafe raw.baseAddress.unsafelyUnwrapped
      return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
    }
  }
}

/// The system calls on sockets, which are all non-blocking, for Linux and macOS.
enum SystemSocket {
  static func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  static func endWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  static func make(_ family: Int32) -> Int32 {
    #if canImport(Glibc)
      return socket(
        family,
        Int32(
          SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue
            | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
      prepare(descriptor)
      return descriptor
    #endif
  }

  private static func prepare(_ descriptor: Int32) {
    if descriptor < 0 { return }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32 = 1) {
    var value = value
    unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Has the system hold no more than about so many bytes that are not on their way to the peer.
  /// Without it, that grows to megabytes: seconds of live data on a slow line.
  static func limitUnsent(_ descriptor: Int32, _ bytes: Int) {
    if bytes > 0 { set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(clamping: bytes)) }
  }

  /// Makes small frames leave at once (`TCP_NODELAY`), and a peer whose machine died be noticed in
  /// the end (`SO_KEEPALIVE`).
  static func tune(_ descriptor: Int32) {
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE)
  }

  /// Returns the descriptor of a listening socket.
  static func listening(_ address: SocketAddress, backlog: Int32) -> Result<Int32, SystemError> {
    let descriptor = make(address.family)
    if descriptor < 0 { return .failure(SystemError(number: errno)) }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR)
    if unsafe address.with({ unsafe bind(descriptor, $0, $1) }) != 0
      || listen(descriptor, backlog) != 0
    {
      let number = errno
      close(descriptor)
      return .failure(SystemError(number: number))
    }
    return .success(descriptor)
  }

  /// Returns the descriptor of a socket that is connecting. It becomes writable when the attempt
  /// has succeeded or failed; `connectResult` then tells which.
  static func connecting(_ address: SocketAddress) -> Result<Int32, SystemError> {
    let descriptor = make(address.family)
    if descriptor < 0 { return .failure(SystemError(number: errno)) }
    tune(descriptor)
    if unsafe address.with({ unsafe connect(descriptor, $0, $1) }) != 0 && errno != EINPROGRESS {
      let number = errno
      close(descriptor)
      return .failure(SystemError(number: number))
    }
    return .success(descriptor)
  }

  /// Accepts a connection; the caller has still to `tune` it.
  static func accept(_ listener: Int32) -> Result<(Int32, SocketAddress), SystemError> {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { raw in
      let address = unsafe raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: sockaddr.self)
      #if canImport(Glibc)
        let descriptor = unsafe Glibc.accept(listener, address, &size)
      #else
        let descriptor = unsafe Darwin.accept(listener, address, &size)
      #endif
      if descriptor < 0 { return .failure(SystemError(number: errno)) }
      prepare(descriptor)
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: raw[..<Int(size)])
      return unsafe .success((descriptor, SocketAddress(bytes)))
    }
  }

  /// Returns the error number of a connection attempt that has ended; 0 when it succeeded.
  static func connectResult(_ descriptor: Int32) -> Int32 {
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
    return number
  }

  /// Returns the port of a listening socket.
  static func port(_ descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { raw in
      let address = unsafe raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: sockaddr.self)
      unsafe getsockname(descriptor, address, &size)
      // IPv4 and IPv6 addresses have the port at the same place.
      return unsafe UInt16(bigEndian: raw.load(fromByteOffset: 2, as: UInt16.self))
    }
  }
}

struct SystemError: Error {
  let number: Int32
  var text: String { SystemSocket.reason(number) }
  var isTryAgain: Bool { number == EAGAIN || number == EWOULDBLOCK || number == EINTR }
  var isAddressInUse: Bool { number == EADDRINUSE }
  var isNotAllowed: Bool { number == EACCES }
  /// Whether a connecting peer was gone before it was accepted: no reason to stop accepting.
  var isPeerGone: Bool { number == ECONNABORTED }
}
