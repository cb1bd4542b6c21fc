internal import COpenSSL
internal import CUV

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// TLS over a system's socket. libuv tells when the socket is ready; OpenSSL reads and writes it
/// through `SocketBIO`.
///
/// OpenSSL has one queue of errors for each thread. It is emptied wherever an error is looked at,
/// so no call has to empty it first.
@safe
final class TLSSocket: ConnectionSocket {
  private unowned let loop: Loop
  private let descriptor: Int32
  private let context: TLSContext
  /// The library's object; nil until a server has the whole first record of its client.
  private var ssl: OpaquePointer?
  private let poll: UVHandle
  private var interest: Int32 = 0
  private var isClosed = false
  private let isServer: Bool
  private var isConnected = false
  private var hasRead = false
  private var isBroken = false
  /// Whether bytes were read or written since `releaseIdleBuffers` was last called.
  private var isUsed = true
  /// Whether the library holds buffers for this connection.
  private(set) var hasBuffers = false
  /// Whether the system has not taken all of what was written last.
  private var isBehind = false
  /// Flushes since the connection rested, up to `flushesOfBusy`: a connection with so many is busy
  /// and keeps its buffers.
  private var flushCount = 0
  private let keepsBuffers: Bool
  /// Bytes that `takeReadCount` has returned so far.
  private var countedBytes: UInt64 = 0
  /// More than a client needs that signs in and is then silent.
  static let flushesOfBusy = 16
  /// Key updates that are taken from a peer in a minute. An honest one sends none: a key lasts for
  /// 2^24 records. Each costs 34 µs, so a thousand connections that send so many take half a
  /// percent of a loop.
  static let keyUpdatesPerMinuteMax = 8
  /// Key updates that were taken since then, in milliseconds of the loop's clock.
  private var keyUpdateCount = 0
  private var keyUpdatesSince: UInt64 = 0
  private var hasTooManyKeyUpdates: Bool { keyUpdateCount > Self.keyUpdatesPerMinuteMax }
  /// What a balancer says before the handshake, and who is told of it; nil when it is said.
  private var header: (value: ProxyHeader, done: (SocketAddress?) -> CloseReason?)?
  private var gate = RecordGate()
  /// Whether bytes have come that are none of a handshake.
  private var isForeign = false
  /// Whether a step of the handshake waits for room to write.
  private var stepWantsWrite = false
  /// How soon it is looked again for the rest of a record of which the system does not tell.
  private static let unaskedMilliseconds: UInt64 = 50
  /// Called when the socket closes, with the ticket for a client's next connection.
  var onSession: ((TLSSession) -> Void)?

  /// For tests: whether the library knows of this connection.
  var hasObject: Bool { unsafe ssl != nil }

  /// Takes over `descriptor`: it is closed with the socket, and also when this throws.
  /// - Parameter serverName: the name or address that the server's certificate must carry; nil
  ///   makes this the server's end.
  init(
    on loop: Loop, descriptor: Int32, context: TLSContext, serverName: String?,
    session: TLSSession? = nil
  ) throws(CloseReason) {
    self.loop = loop
    self.descriptor = descriptor
    self.context = context
    isServer = serverName == nil
    keepsBuffers = context.keepsBuffers
    poll = unsafe UVHandle(size: MemoryLayout<uv_poll_t>.size)
    super.init()
    do throws(CloseReason) {
      if let serverName { try makeClient(of: serverName, session) }
      let status = unsafe uv_poll_init(
        loop.uv, poll.memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
      if status != 0 { throw .connect(unsafe String(cString: uv_strerror(status))) }
    } catch {
      unsafe SSL_free(ssl)
      SystemSocket.close(descriptor)
      isClosed = true
      throw error
    }
    poll.adopt()
  }

  /// Makes the library's object. Its buffers come with the first byte.
  private func makeObject() throws(CloseReason) {
    guard let made = unsafe SSL_new(context.pointer) else {
      throw .handshake(TLSError.takeReason())
    }
    guard unsafe SocketBIO.attach(made, descriptor) else {
      unsafe SSL_free(made)
      throw .handshake(TLSError.takeReason())
    }
    unsafe muster_ssl_set_message_callback_argument(
      made, Unmanaged.passUnretained(self).toOpaque())
    unsafe ssl = made
  }

  private func makeServer() throws(CloseReason) {
    try makeObject()
    unsafe SSL_set_accept_state(ssl)
  }

  private func makeClient(of serverName: String, _ session: TLSSession?) throws(CloseReason) {
    try makeObject()
    unsafe SSL_set_connect_state(ssl)
    let parameters = unsafe SSL_get0_param(ssl)
    // A text that is no IP address is a host's name, and only a name is sent to the server.
    if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, serverName) != 1 {
      ERR_clear_error()
      unsafe X509_VERIFY_PARAM_set1_host(parameters, serverName, 0)
      unsafe _ = muster_ssl_set_host_name(ssl, serverName)
    }
    if let session { unsafe SSL_set_session(ssl, session.pointer) }
  }

  /// Sends events to the connection from now on, and holds it until the socket is closed.
  func start(_ connection: Connection) {
    poll.body = { [unowned self] status, events in
      let failed = status < 0
      if failed { pollAgain() }
      connection.event(
        readable: failed || events & Int32(UV_READABLE.rawValue) != 0,
        writable: failed || events & Int32(UV_WRITABLE.rawValue) != 0)
    }
    // A balancer's header may be all that comes for a while, and is read as it comes.
    if isServer && header == nil { gate.wait(for: RecordGate.headerSize, at: descriptor) }
    // A client speaks first, a server listens first.
    want(read: isServer, write: !isServer)
  }

  override func want(read: Bool, write: Bool) {
    let events =
      (read ? Int32(UV_READABLE.rawValue) : 0) | (write ? Int32(UV_WRITABLE.rawValue) : 0)
    if events == interest || isClosed { return }
    interest = events
    unsafe uv_poll_start(poll.memory.assumingMemoryBound(to: uv_poll_t.self), events) {
      unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) }, $1, $2)
    }
  }

  /// libuv has met an error and polls no more. What came before the error is read first, so the
  /// error itself may be met by a later read only.
  private func pollAgain() {
    let wanted = interest
    interest = 0
    want(
      read: wanted & Int32(UV_READABLE.rawValue) != 0,
      write: wanted & Int32(UV_WRITABLE.rawValue) != 0)
  }

  // MARK: Handshake

  /// What a balancer says costs next to nothing, and whose turn it is follows from that.
  override var handshakeWaits: Bool { isServer && header == nil }

  /// Reads a header of the PROXY protocol before the handshake.
  ///
  /// - Parameter done: hears of the peer that it names; returns why the connection may not be, if
  ///   it may not.
  func readHeader(_ done: @escaping (SocketAddress?) -> CloseReason?) {
    header = (ProxyHeader(), done)
  }

  /// Reads what is missing of the header, and nothing of what follows; nil when there is none, or
  /// no more.
  private func takeHeader() -> Handshake? {
    if header == nil { return nil }
    var room = [UInt8](repeating: 0, count: ProxyHeader.sizeMax)
    while let missing = header?.value.missing {
      let count = unsafe recv(descriptor, &room, missing, 0)
      if count == 0 { return .failed(.handshake("the peer went away")) }
      if count < 0 {
        let error = SystemError(number: errno)
        guard error.isTryAgain else { return .failed(.handshake(error.text)) }
        want(read: true, write: false)
        return .underWay
      }
      switch header?.value.take(room[..<count]) {
      case .needsMore, nil: break
      case .broken(let why): return .failed(.handshake("the balancer's header is broken: \(why)"))
      case .done(let peer):
        let reason = header?.done(peer)
        header = nil
        if let reason { return .failed(reason) }
        want(read: true, write: false)
        return .underWay
      }
    }
    return nil
  }

  /// Looks whether what the client says next is there as a whole; nil when it is. The library then
  /// reads no more than that: so it is never left with the front of a record.
  private func awaitRecord() -> Handshake? {
    if !isServer { return nil }
    if stepWantsWrite {
      stepWantsWrite = false
      unsafe SocketBIO.allow(ssl, 0)
      return nil
    }
    let isFirst = unsafe ssl == nil
    let outcome =
      RecordGate.isSupported
      ? unsafe gate.look(at: descriptor, isFirst: isFirst, in: loop.buffers.scratch)
      : .passes(RecordGate.recordSizeMax)
    switch outcome {
    case .passes(let size), .foreign(let size):
      if case .foreign = outcome { isForeign = true }
      if isFirst { do { try makeServer() } catch { return .failed(error) } }
      unsafe SocketBIO.allow(ssl, size)
      return nil
    case .waits: want(read: true, write: false)
    case .waitsUnasked:
      loop.after(Self.unaskedMilliseconds) { [weak self] in self?.want(read: true, write: false) }
    case .failed(let why): return .failed(.handshake(why))
    }
    return .underWay
  }

  override func handshake() -> Handshake {
    if isClosed { return .underWay }
    if let outcome = takeHeader() { return outcome }
    if let outcome = awaitRecord() { return outcome }
    if !isServer && !isConnected {
      let number = SystemSocket.connectResult(descriptor)
      if number != 0 { return .failed(.connect(SystemSocket.reason(number))) }
      isConnected = true
    }
    hasBuffers = true
    let result = unsafe SSL_do_handshake(ssl)
    if result == 1 { return finishHandshake() }
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ:
      if isForeign { return .failed(.handshake("the peer's bytes are no handshake")) }
      // A client that goes on is gone for a while, and one that does not would keep 33 KB.
      if isServer { freeBuffers() }
      want(read: true, write: false)
    case SSL_ERROR_WANT_WRITE:
      stepWantsWrite = true
      want(read: false, write: true)
    case SSL_ERROR_SYSCALL:
      let why = errno == 0 ? "the peer went away" : SystemSocket.reason(errno)
      ERR_clear_error()
      return .failed(.handshake(why))
    default: return .failed(.handshake(handshakeFailure()))
    }
    return .underWay
  }

  private func finishHandshake() -> Handshake {
    gate.wait(for: 1, at: descriptor)
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &name, &count)
    unsafe SocketBIO.expectMore(ssl, false)
    let chosen = unsafe UnsafeBufferPointer(start: name, count: Int(count))
    if unsafe !chosen.elementsEqual(TLSContext.applicationProtocol.dropFirst()) {
      return .failed(.handshake("the peer does not offer the protocol muster/1 (ALPN)"))
    }
    return unsafe .done(peerName: ssl.flatMap { TLSCertificate.peerName($0) })
  }

  private func handshakeFailure() -> String {
    let verified = unsafe SSL_get_verify_result(ssl)
    let reason = TLSError.takeReason()
    if Int32(verified) == X509_V_OK { return reason }
    let detail = unsafe String(cString: X509_verify_cert_error_string(verified))
    return "\(reason): \(detail)"
  }

  /// Whether the handshake was a resumption with a ticket.
  var isResumed: Bool { unsafe SSL_session_reused(ssl) == 1 }

  // MARK: Bytes

  override func beginReading(bytesMax: Int) {
    if let ssl = unsafe ssl, !isClosed { unsafe SocketBIO.allow(ssl, bytesMax) }
  }

  override var hasSpentReading: Bool {
    guard let ssl = unsafe ssl, !isClosed else { return false }
    return unsafe SocketBIO.readLeft(ssl) == 0
  }

  override func takeReadCount() -> Int {
    if isClosed { return 0 }
    let count = unsafe SocketBIO.readCount(ssl)
    defer { countedBytes = count }
    return Int(count - countedBytes)
  }

  override var writtenCount: UInt64 {
    guard let ssl = unsafe ssl, !isClosed else { return 0 }
    return unsafe SocketBIO.writtenCount(ssl)
  }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    // The handler of a frame may have closed the connection between two reads; the TLS object is
    // freed then.
    if isClosed { return .wouldBlock }
    (isUsed, hasBuffers) = (true, true)
    let result = unsafe SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
    if hasTooManyKeyUpdates {
      isBroken = true
      ERR_clear_error()
      return .failed(.tooManyKeyUpdates)
    }
    if result > 0 {
      readWantsWrite = false
      hasRead = true
      return .bytes(Int(result))
    }
    return failure(of: result, reading: true)
  }

  override func write(_ buffer: UnsafeRawBufferPointer) -> Outcome {
    if isClosed { return .wouldBlock }
    // OpenSSL takes the count as an Int32, and writes one record of 16 KiB at a time anyway.
    let count = Int32(min(buffer.count, 1 << 20))
    (isUsed, hasBuffers) = (true, true)
    let result = unsafe SSL_write(ssl, buffer.baseAddress, count)
    if result > 0 {
      if isBehind { note(isBehind: false) }
      return .bytes(Int(result))
    }
    let outcome = failure(of: result, reading: false)
    if case .wouldBlock = outcome, !isBehind { note(isBehind: true) }
    return outcome
  }

  /// Has the library release the buffer that it reads into after each record, for as long as the
  /// peer does not take what is written. All buffers cannot be released then, and a thousand peers
  /// that only send would keep both.
  private func note(isBehind: Bool) {
    self.isBehind = isBehind
    if !OpenSSL.canFreeBuffers { return }
    let change = isBehind ? SSL_CTRL_MODE : SSL_CTRL_CLEAR_MODE
    unsafe _ = SSL_ctrl(ssl, change, Int(SSL_MODE_RELEASE_BUFFERS), nil)
    // From 3.2 on, what reads records has a copy of the mode, which clearing alone does not reach.
    if !isBehind { unsafe _ = SSL_ctrl(ssl, SSL_CTRL_MODE, 0, nil) }
  }

  /// For tests: whether the library releases buffers by itself.
  var releasesBuffers: Bool {
    unsafe SSL_ctrl(ssl, SSL_CTRL_MODE, 0, nil) & Int(SSL_MODE_RELEASE_BUFFERS) != 0
  }

  private func failure(of result: Int32, reading: Bool) -> Outcome {
    let number = errno
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wouldBlock
    case SSL_ERROR_WANT_WRITE:
      if reading { readWantsWrite = true }
      return .wouldBlock
    case SSL_ERROR_ZERO_RETURN: return .failed(.endOfStream)
    case SSL_ERROR_SYSCALL:
      ERR_clear_error()
      isBroken = true
      return .failed(number == 0 ? .endOfStream : .reset(SystemSocket.reason(number)))
    default:
      isBroken = true
      let code = ERR_peek_error()
      let reason = TLSError.takeReason()
      if ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING {
        return .failed(.endOfStream)
      }
      // In TLS 1.3 a client's handshake ends before the server has looked at its certificate. So a
      // client that fails before it has read anything was refused in the handshake.
      return .failed(isServer || hasRead ? .reset(reason) : .handshake(reason))
    }
  }

  // MARK: Messages of the library's own

  /// Has the sockets of a context count the key updates of their peers, and send a ticket together
  /// with their first answer: a client has no use for it before.
  static func watchMessages(_ context: OpaquePointer) {
    unsafe SSL_CTX_set_msg_callback(context) { isWritten, _, type, bytes, count, ssl, socket in
      guard type == SSL3_RT_HANDSHAKE, count > 0, let bytes = unsafe bytes else { return }
      switch unsafe (isWritten, Int32(bytes.load(as: UInt8.self))) {
      case (0, SSL3_MT_KEY_UPDATE):
        guard let socket = unsafe socket else { return }
        unsafe Unmanaged<TLSSocket>.fromOpaque(socket).takeUnretainedValue().tookKeyUpdate()
      // It is in the library's buffer, and written when all of a step is.
      case (1, SSL3_MT_NEWSESSION_TICKET): unsafe SocketBIO.expectMore(ssl, true)
      default: break
      }
    }
  }

  /// Called by the library in the middle of a read, which takes all that its buffer has of them.
  private func tookKeyUpdate() {
    let now = loop.monotonicMilliseconds
    if now >= keyUpdatesSince + 60_000 { (keyUpdatesSince, keyUpdateCount) = (now, 0) }
    keyUpdateCount += 1
    // The library looks at this before each record, so its read ends here.
    if hasTooManyKeyUpdates {
      unsafe SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN)
    }
  }

  /// Frees the library's buffers of an idle connection: up to 34 KiB. A busy connection keeps them,
  /// because releasing them after each record costs an allocation each time.
  override func releaseIdleBuffers() -> Bool {
    defer { isUsed = false }
    if isUsed { return false }
    let wasFlushed = flushCount > 0
    flushCount = 0
    freeBuffers()
    return wasFlushed
  }

  /// Frees the buffers of a connection that is not busy at once. Otherwise all connections that
  /// came within the last seconds would have theirs at the same time, and what a process has taken
  /// once for them stays with it between what lives longer.
  override func didFlush() {
    if flushCount < Self.flushesOfBusy { flushCount += 1 } else if keepsBuffers { return }
    freeBuffers()
  }

  private func freeBuffers() {
    if isClosed || !hasBuffers || !OpenSSL.canFreeBuffers { return }
    // The library refuses while a record is half read or half written.
    hasBuffers = unsafe SSL_free_buffers(ssl) != 1
  }

  override var hasHiddenBytes: Bool { unsafe !isClosed && SSL_has_pending(ssl) == 1 }

  // MARK: The end

  override func endWriting() {
    if isClosed { return }
    unsafe SSL_shutdown(ssl)
    ERR_clear_error()
    SystemSocket.endWriting(descriptor)
  }

  private func endObject() {
    guard let ssl = unsafe ssl else { return }
    if let onSession, let session = unsafe SSL_get1_session(ssl) {
      unsafe onSession(TLSSession(session))
    }
    onSession = nil
    if unsafe !isBroken && SSL_is_init_finished(ssl) == 1 {
      unsafe SSL_shutdown(ssl)
    } else {
      // Makes the library free the object as if it were shut down; otherwise it would mark the
      // session as not to be resumed.
      unsafe SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    }
    unsafe SSL_free(ssl)
    ERR_clear_error()
  }

  override func close() {
    if isClosed { return }
    isClosed = true
    endObject()
    // libuv stops polling the descriptor at once, so it may be closed; the handle's memory is freed
    // later.
    poll.close()
    SystemSocket.close(descriptor)
  }
}

/// A ticket with which a client shortens its next handshake.
@safe
final class TLSSession {
  let pointer: OpaquePointer

  @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  var isResumable: Bool { unsafe SSL_SESSION_is_resumable(pointer) == 1 }

  deinit { unsafe SSL_SESSION_free(pointer) }
}
