internal import CCurl
internal import Locking
public import Transport

/// Calls servers over HTTPS: TLS 1.2 or later, verified certificates, HTTP/1.1, no redirects, no
/// cookies, no proxy but a configured one.
///
/// libcurl runs on one thread of its own, which all calls of the client share. So a loop never
/// waits for a name, a handshake or the reading of authorities (10 ms and more), and a server that
/// hangs takes none of the few threads of libuv's pool, which stores need for their reads.
///
/// Each call has a connection of its own. On one that is kept, libcurl takes an answer that a
/// server gives twice for the answer to the next call: an event would count as delivered that was
/// not.
public final class HTTPSClient: Sendable {
  let calls: CallQueue

  /// Starts the thread. Fails when the authority's file cannot be read or holds no certificate.
  public init(_ settings: HTTPSSettings) throws(TLSError) {
    precondition(settings.callsMax > 0 && settings.waitingMax >= 0, "a client without calls")
    // libcurl would read the file at the first call, and only then tell that it is not there. This
    // also keeps OpenSSL from cleaning up under the thread when the process ends.
    _ = try TLSClientContext(trust: settings.authorityFile.map { .authority($0) } ?? .system)
    precondition(Self.isLibraryReady, "libcurl cannot start")
    let calls = CallQueue(settings)
    self.calls = calls
    SystemThread.start("https") {
      signalPipeIgnored()
      CurlThread(calls).run()
    }
  }

  deinit { stop() }

  /// How many calls are under way or wait.
  public var callCount: Int { calls.heldCount }

  /// Makes the way to call from `loop`.
  public func caller(on loop: Loop) -> HTTPSCaller { HTTPSCaller(self, loop) }

  /// Ends all calls with `stopped`, also those that come later, and the thread.
  public func stop() { calls.stop() }

  private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
