internal import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The server's end of one connection; every call blocks.
@safe
final class TestStream {
  private let ssl: OpaquePointer
  private let descriptor: Int32
  private var gathered: [UInt8] = []

  /// Nil when the handshake fails.
  init?(_ context: TestServerContext, _ descriptor: Int32) {
    guard let ssl = unsafe SSL_new(context.pointer) else { return nil }
    unsafe SSL_set_fd(ssl, descriptor)
    if unsafe SSL_accept(ssl) != 1 {
      unsafe SSL_free(ssl)
      return nil
    }
    unsafe self.ssl = ssl
    self.descriptor = descriptor
  }

  deinit {
    // Nothing is said at the end: what has to be said is a step.
    unsafe SSL_set_quiet_shutdown(ssl, 1)
    unsafe SSL_free(ssl)
  }

  /// Nil when the client is gone.
  func readRequest() -> TestRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let place = gathered.indices.first(where: { gathered[$0...].starts(with: end) }) {
        return readBody(of: head(gathered[..<place]), from: place + end.count)
      }
      if !readMore() { return nil }
    }
  }

  private func head(_ bytes: ArraySlice<UInt8>) -> TestRequest {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    var request = TestRequest()
    if words.count == 3 { (request.method, request.path) = (words[0], words[1]) }
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      request.headers[line[..<colon].lowercased()] = String(value)
    }
    return request
  }

  private func readBody(of head: TestRequest, from start: Int) -> TestRequest? {
    let count = head.headers["content-length"].flatMap { Int($0) } ?? 0
    while gathered.count < start + count { if !readMore() { return nil } }
    var request = head
    request.body = Array(gathered[start..<start + count])
    gathered.removeFirst(start + count)
    return request
  }

  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = unsafe SSL_read(ssl, &buffer, Int32(buffer.count))
    gathered += buffer.prefix(max(0, Int(count)))
    return count > 0
  }

  /// Returns whether the connection goes on.
  func perform(_ steps: some Sequence<Step>) -> Bool {
    for step in steps {
      switch step {
      case .send(let bytes): if !write(bytes) { return false }
      case .drip(let bytes, let milliseconds):
        for byte in bytes {
          if !write([byte]) || hears(milliseconds) { return false }
        }
      case .pause(let milliseconds): _ = hears(milliseconds)
      case .hang:
        _ = hears(-1)
        return false
      case .close: return false
      case .note(let promise): promise.set(())
      }
    }
    return true
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty { return true }
    return unsafe SSL_write(ssl, bytes, Int32(bytes.count)) > 0
  }

  /// Waits for the client to say or to end something; false when the time is over. -1 is for ever.
  private func hears(_ milliseconds: Int32) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&item, 1, milliseconds) > 0
  }
}
