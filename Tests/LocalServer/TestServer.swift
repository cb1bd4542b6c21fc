package import Locking

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a test server got.
package struct TestRequest: Sendable {
  package var method = ""
  package var path = ""
  /// By lower-case name.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
}

/// What a test server does with a request, one after the other.
package enum Step: Sendable {
  case send([UInt8])
  /// Sends the bytes one at a time, with these milliseconds between them, until the client is gone.
  case drip([UInt8], milliseconds: Int32)
  /// Waits so many milliseconds, or until the client is gone or says more.
  case pause(Int32)
  /// Waits until the client is gone.
  case hang
  /// Ends the connection without a word of TLS.
  case close
  case note(Promise<Void>)

  /// An answer as servers give it.
  package static func answer(_ status: Int, _ body: String = "", headers: [String] = []) -> Step {
    .send(bytes(status, body, headers: headers))
  }

  /// The bytes of such an answer.
  package static func bytes(_ status: Int, _ body: String, headers: [String] = []) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) Word", "Content-Length: \(body.utf8.count)"] + headers
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}

/// An HTTPS server on a free port of 127.0.0.1, with a thread for each connection.
@safe
package final class TestServer: Sendable {
  package struct State: Sendable {
    package var requests: [TestRequest] = []
    package var connectionCount = 0
    /// The most requests that were under way at once, each until the last of its steps.
    var busyMax = 0
    var busy = 0
    var open: Set<Int32> = []
    var isOver = false
  }

  package let port: UInt16
  private let listening: Int32
  private let context: TestServerContext
  package let state = Locked(State())
  private let steps: @Sendable (TestRequest) -> [Step]

  /// - Parameter isListening: if not, the port is taken, and connections to it are refused.
  package init(
    _ context: TestServerContext, isListening: Bool = true,
    _ steps: @escaping @Sendable (TestRequest) -> [Step]
  ) {
    self.steps = steps
    self.context = context
    #if canImport(Glibc)
      listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listening = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listening
    port = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        precondition(unsafe bind(descriptor, pointer, size) == 0, "no free port")
        if isListening { precondition(listen(descriptor, 128) == 0, "cannot listen") }
        unsafe getsockname(descriptor, pointer, &size)
      }
      return unsafe UInt16(bigEndian: pointer.pointee.sin_port)
    }
  }

  /// Starts a server that has a right certificate, unless another context is given.
  package static func start(
    _ context: TestServerContext? = nil, _ steps: @escaping @Sendable (TestRequest) -> [Step]
  ) -> TestServer {
    let server = TestServer(context ?? TestAuthority.shared.serverContext(), steps)
    SystemThread.start("test-server") { server.acceptAll() }
    return server
  }

  package var requests: [TestRequest] { state.withLock { $0.requests } }
  package var connectionCount: Int { state.withLock { $0.connectionCount } }
  package var busyMax: Int { state.withLock { $0.busyMax } }
  package var url: String { "https://localhost:\(port)" }

  /// Ends all connections and accepts no more.
  package func stop() {
    state.withLock { state in
      state.isOver = true
      shutdown(listening, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listening, nil, nil)
      let goesOn = state.withLock { state in
        if descriptor >= 0 && !state.isOver {
          state.open.insert(descriptor)
          state.connectionCount += 1
        }
        return !state.isOver
      }
      if !goesOn || descriptor < 0 {
        if descriptor >= 0 { close(descriptor) }
        break
      }
      SystemThread.start("test-peer") { [self] in serve(descriptor) }
    }
    close(listening)
  }

  private func serve(_ descriptor: Int32) {
    if let stream = TestStream(context, descriptor) {
      while let request = stream.readRequest() {
        state.withLock { state in
          state.requests.append(request)
          state.busy += 1
          state.busyMax = max(state.busyMax, state.busy)
        }
        // The client may begin its next call as soon as it has the end of the answer.
        let steps = steps(request)
        let goesOn = stream.perform(steps.dropLast())
        state.withLock { $0.busy -= 1 }
        if !goesOn || !stream.perform(steps.suffix(1)) { break }
      }
    }
    state.withLock { state in
      state.open.remove(descriptor)
      close(descriptor)
    }
  }
}
