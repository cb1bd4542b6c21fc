internal import CUV

/// Owns a listening socket and accepts what connects to it; confined to its loop.
///
/// What becomes of the connections is somebody else's business: each accepted socket is handed on,
/// to a `ConnectionServer` of this loop or, through a mailbox, of another one. One acceptor for all
/// loops, rather than a listening socket each (`SO_REUSEPORT`), keeps two promises exact: a port
/// that another process has is an error, and so many connections and no more are open.
@safe
public final class Acceptor {
  /// Connections accepted in one turn, so that a storm of them lets the others live.
  static let acceptsPerTurnMax = 64
  /// How long to let be when the process has no descriptors left.
  static let retryMilliseconds: UInt64 = 100
  /// Connections that the system may hold for us; it cuts this to its own maximum.
  static let backlog: Int32 = 4096

  /// The port listened on; the one the system chose when 0 was asked for.
  public let port: UInt16
  public private(set) var acceptedCount: UInt64 = 0
  /// Closed at once because as many as may be were open.
  public private(set) var refusedCount: UInt64 = 0
  /// Told of each that was refused: the peer's address and why.
  public var onRefusal: ((String, CloseReason) -> Void)?
  /// Connections that were accepted here and are open, on any loop or on the way to it.
  public var openCount: Int { count.current }

  private let loop: Loop
  private let count: ConnectionCount
  private let descriptor: Int32
  private let poll: UVHandle
  private var hand: (AcceptedSocket) -> Void = { _ in }
  private var isAccepting = true

  /// Takes the port: from now on the system lets peers connect, for as long as the loop runs or
  /// until `stop`. They are accepted from `start` on.
  /// - Parameters:
  ///   - port: 0 lets the system choose; `port` tells which.
  ///   - connectionCountMax: over it, new connections are closed before any cryptography.
  public init(on loop: Loop, host: String, port: UInt16, connectionCountMax: Int)
    throws(ListenError)
  {
    descriptor = try Self.open(host, port)
    self.port = Socket.port(descriptor)
    self.loop = loop
    count = ConnectionCount(max: connectionCountMax)
    poll = unsafe UVHandle(size: MemoryLayout<uv_poll_t>.size)
    unsafe uv_poll_init(
      loop.uv, poll.memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
    poll.adopt()
    // The acceptor lives as long as it has the port, whoever else lets go of it.
    loop.onShutDown(self) { self.stop() }
  }

  private static func open(_ host: String, _ port: UInt16) throws(ListenError) -> Int32 {
    let addresses: [SocketAddress]
    switch SocketAddress.resolve(host, port, passive: true) {
    case .success(let found): addresses = found
    case .failure(let reason): throw .unknownHost(reason.text)
    }
    guard let address = addresses.first else { throw .unknownHost(host) }
    switch Socket.listening(address, backlog: backlog) {
    case .success(let descriptor): return descriptor
    case .failure(let error):
      if error.isAddressInUse { throw .portInUse(port) }
      if error.isNotAllowed { throw .notAllowed(port) }
      throw .system("\(address.text): \(error.text)")
    }
  }

  /// Accepts from now on; each socket goes to `hand`.
  public func start(handingTo hand: @escaping (AcceptedSocket) -> Void) {
    guard isAccepting else { return }
    self.hand = hand
    poll.body = { [unowned self] _, _ in acceptSome() }
    listen()
  }

  /// Frees the port; connections go on.
  public func stop() {
    if !isAccepting { return }
    isAccepting = false
    hand = { _ in }
    poll.close()
    Socket.close(descriptor)
    loop.forgetShutDown(self)
  }

  private func listen() {
    unsafe uv_poll_start(
      poll.memory.assumingMemoryBound(to: uv_poll_t.self), Int32(UV_READABLE.rawValue)
    ) { unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) }, $1, $2) }
  }

  private func acceptSome() {
    for _ in 0..<Self.acceptsPerTurnMax where isAccepting {
      switch Socket.accept(descriptor) {
      case .success(let (descriptor, address)): accepted(descriptor, address)
      case .failure(let error):
        if error.isTryAgain { return }
        if error.isPeerGone { continue }
        // No descriptors or no memory: polling would tell again and again.
        unsafe uv_poll_stop(poll.memory.assumingMemoryBound(to: uv_poll_t.self))
        loop.after(Self.retryMilliseconds) { [weak self] in
          if let self, isAccepting { listen() }
        }
        return
      }
    }
  }

  private func accepted(_ descriptor: Int32, _ address: String) {
    acceptedCount += 1
    if count.enter() {
      hand(AcceptedSocket(descriptor: descriptor, address: address, count: count))
    } else {
      refusedCount += 1
      Socket.close(descriptor)
      onRefusal?(address, .refused("\(count.countMax) connections are open"))
    }
  }
}
