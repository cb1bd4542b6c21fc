internal import COpenSSL

/// The settings that servers and clients share: TLS 1.3 only, the protocol's name, one certificate
/// and its key.
///
/// It is `Sendable` because nothing but `TLSServerContext.sealTickets` changes an `SSL_CTX` after
/// its owner's initialiser: any number of threads may otherwise use it to make connections.
@safe
final class TLSContext: Sendable {
  nonisolated(unsafe) let pointer: OpaquePointer
  /// The protocol's name `muster/1` as ALPN has it: one byte of length, then the name.
  static let applicationProtocol: [UInt8] = [8] + Array("muster/1".utf8)
  /// Whether a busy connection keeps the library's buffers.
  let keepsBuffers: Bool

  init(_ method: OpaquePointer?, keepsBuffers: Bool = true) throws(TLSError) {
    self.keepsBuffers = keepsBuffers
    OpenSSL.start()
    ERR_clear_error()
    guard let context = unsafe SSL_CTX_new(method) else {
      throw TLSError("TLS: \(TLSError.takeReason())")
    }
    unsafe pointer = context
    unsafe _ = muster_ctx_set_min_version(pointer, TLS1_3_VERSION)
    unsafe _ = muster_ctx_set_max_version(pointer, TLS1_3_VERSION)
    // A write may take a part of the bytes only. The queue may have moved the rest by the time the
    // write is tried again.
    var mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    // Where it is safe, `TLSSocket.releaseIdleBuffers` frees buffers instead, which is cheaper.
    if !OpenSSL.canFreeBuffers { mode |= SSL_MODE_RELEASE_BUFFERS }
    unsafe _ = muster_ctx_set_mode(pointer, Int(mode))
    // With read-ahead, reading a record takes one system call and not two (header and body).
    unsafe muster_ctx_set_read_ahead(pointer, 1)
    unsafe SSL_CTX_set_max_early_data(pointer, 0)
    unsafe TLSSocket.watchMessages(pointer)
  }

  deinit { unsafe SSL_CTX_free(pointer) }

  func use(certificate: String, key: String) throws(TLSError) {
    try TLSError.check(
      unsafe SSL_CTX_use_certificate_chain_file(pointer, certificate),
      "certificate \(certificate)")
    try TLSError.check(
      unsafe SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM), "key \(key)")
    try TLSError.check(
      unsafe SSL_CTX_check_private_key(pointer), "key \(key) does not fit \(certificate)")
  }

  func trust(authority path: String) throws(TLSError) {
    try TLSError.check(
      unsafe SSL_CTX_load_verify_locations(pointer, path, nil), "authority \(path)")
  }
}

/// How a server proves who it is, and whether its clients must.
public final class TLSServerContext: Sendable {
  public enum ClientCertificates: Sendable {
    case none
    /// A client must have a certificate that leads to the authority in this file.
    case required(authority: String)

    /// The same as `required(authority:)`.
    public static func required(ca path: String) -> Self { .required(authority: path) }
  }

  let context: TLSContext
  /// A client's chain may have so many bytes: a few certificates. The library makes room for what a
  /// stranger announces, and would take 100 KB for it.
  private static let chainBytesMax = 16 << 10

  /// - Parameters:
  ///   - certificate: a PEM file with the chain, the server's own certificate first.
  ///   - ticketSecret: the secret that protects session tickets. When all loops and restarts of a
  ///     service share it, a client can resume its session with any of them. Without it each
  ///     context makes a secret of its own.
  public init(
    certificate: String, key: String, clientCertificates: ClientCertificates = .none,
    ticketSecret: [UInt8]? = nil
  ) throws(TLSError) {
    context = try unsafe TLSContext(TLS_server_method())
    let pointer = unsafe context.pointer
    try context.use(certificate: certificate, key: key)
    if case .required(let authority) = clientCertificates {
      try context.trust(authority: authority)
      unsafe SSL_CTX_set_verify(
        pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
      unsafe _ = SSL_CTX_ctrl(
        pointer, SSL_CTRL_SET_MAX_CERT_LIST, Self.chainBytesMax, nil)
    }
    // Sessions are kept in tickets by the clients and not in a cache here. A client needs one
    // ticket at a time.
    unsafe _ = muster_ctx_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
    unsafe SSL_CTX_set_num_tickets(pointer, 1)
    let scope = Array("muster".utf8)
    unsafe SSL_CTX_set_session_id_context(pointer, scope, UInt32(scope.count))
    if let ticketSecret { sealTickets(with: ticketSecret) }
    unsafe SSL_CTX_set_alpn_select_cb(
      pointer,
      { _, out, outCount, offered, offeredCount, _ in
        let own = unsafe TLSServerContext.applicationProtocol
        let chosen = unsafe SSL_select_next_proto(
          UnsafeMutableRawPointer(out)?.assumingMemoryBound(
            to: UnsafeMutablePointer<UInt8>?.self), outCount, own.baseAddress,
          UInt32(own.count), offered, offeredCount)
        return chosen == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
      }, nil)
  }

  /// The protocol's name in memory that never moves, because the library points into it after the
  /// callback has returned.
  private nonisolated(unsafe) static let applicationProtocol: UnsafeBufferPointer<UInt8> = {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: TLSContext.applicationProtocol.count)
    _ = unsafe bytes.initialize(from: TLSContext.applicationProtocol)
    return UnsafeBufferPointer(bytes)
  }()

  /// Seals tickets with another secret from now on, and takes none that was sealed before.
  ///
  /// OpenSSL's ticket keys are derived from it. They have 80 bytes: a name, a key that signs and
  /// one that encrypts. Called on the loop whose connections use the context.
  func sealTickets(with secret: [UInt8]) {
    var keys: [UInt8] = []
    for part in ["name", "sign", "encrypt"] {
      keys += Crypto.hmacSHA256(key: secret, data: Array("muster ticket \(part)".utf8))
    }
    // The name takes 16 bytes, the keys 32 each.
    keys.removeSubrange(16..<32)
    let result = unsafe muster_ctx_set_ticket_keys(context.pointer, &keys, keys.count)
    precondition(result == 1, "the library takes ticket keys of 80 bytes")
  }
}

/// Whom a client trusts, and how it proves who it is.
public final class TLSClientContext: Sendable {
  public enum Trust: Hashable, Sendable {
    /// The authorities that the operating system trusts.
    case system
    /// Only the authority in this PEM file.
    case authority(String)
  }

  let context: TLSContext
  /// The name or address that the server's certificate must carry; nil stands for the host's name.
  let serverName: String?

  /// - Parameter keepsBuffers: whether a busy connection keeps the library's buffers of 34 KiB;
  ///   many connections that take turns at a few do better without.
  public init(
    trust: Trust, certificate: String? = nil, key: String? = nil, serverName: String? = nil,
    keepsBuffers: Bool = true
  ) throws(TLSError) {
    context = try unsafe TLSContext(TLS_client_method(), keepsBuffers: keepsBuffers)
    self.serverName = serverName
    let pointer = unsafe context.pointer
    switch trust {
    case .system:
      try TLSError.check(
        unsafe SSL_CTX_set_default_verify_paths(pointer), "the system's authorities")
    case .authority(let path): try context.trust(authority: path)
    }
    if let certificate, let key { try context.use(certificate: certificate, key: key) }
    unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    let own = TLSContext.applicationProtocol
    let result = unsafe SSL_CTX_set_alpn_protos(pointer, own, UInt32(own.count))
    if result != 0 { throw TLSError("ALPN: \(TLSError.takeReason())") }
  }
}
