internal import CUV
internal import Wire

/// Owns a listening socket and accepts what connects to it; confined to its loop.
///
/// It hands each accepted socket on: to a `ConnectionServer` of this loop or, through a mailbox, of
/// another one. One acceptor serves all loops, rather than a listening socket for each
/// (`SO_REUSEPORT`), to keep two promises exactly: a port that another process uses is an error,
/// and no more than `connectionCountMax` connections are open.
@safe
public final class Acceptor {
  /// The most connections that are accepted or refused in one turn, so that a storm of them does
  /// not starve the open ones: each takes up to 0.1 ms.
  static let acceptsPerTurnMax = 16
  /// Connections of a process whose handshakes have not ended. One that waits for the last words of
  /// its client keeps 48 KB: 45 of the TLS library's, without its buffers for records, and 3 of
  /// ours. So all together keep 48 MiB, of the 64 by which no attack is to make a process larger,
  /// however many loops it has; and what is at work in the same moment has the rest. A loop that
  /// does nothing else shakes hands a thousand times a second.
  public static let unfinishedMax = 1_024
  /// The pause when so many have not; also when half have not or somebody was refused, and nobody
  /// waits: to be woken for each of those who come in thousands costs more than they do.
  static let pauseMilliseconds: UInt64 = 5
  /// The pause when the process has no descriptors left.
  static let retryMilliseconds: UInt64 = 100
  /// Connections that may wait in the system to be accepted; it cuts this to its own maximum.
  static let backlog: Int32 = 4096

  /// The port of the listening socket. If 0 was asked for, it is the one that the system chose.
  public let port: UInt16
  /// Connections accepted so far, the refused ones included.
  public private(set) var acceptedCount: UInt64 = 0
  /// Connections closed at once because `connectionCountMax` were open, or their hosts may have no
  /// more.
  public private(set) var refusedCount: UInt64 = 0
  /// Called for each refused connection with the peer's address and the reason.
  public var onRefusal: ((String, CloseReason) -> Void)?
  /// Connections that were accepted here and are open, on any loop or on the way to one.
  public var openCount: Int { count.current }
  /// Those among them whose handshakes have not ended.
  var unfinishedCount: Int { count.unfinished }

  /// For tests: how often nothing was accepted for a while.
  private(set) var pauseCount = 0

  private let loop: Loop
  private let count: ConnectionCount
  private let hosts: (any HostGuard)?
  private let proxies: TrustedProxies
  private let descriptor: Int32
  private let poll: UVHandle
  private var handOver: (AcceptedSocket) -> Void = { _ in }
  private var isAccepting = true

  /// Opens the listening socket: from now on the system lets peers connect, for as long as the loop
  /// runs or until `stop`. Their connections are accepted from `start` on.
  /// - Parameters:
  ///   - port: 0 lets the system choose; the property `port` tells which.
  ///   - connectionCountMax: when so many are open, new connections are closed before any
  ///     cryptography.
  ///   - unfinishedMax: when the handshakes of so many have not ended, new connections wait in the
  ///     system.
  ///   - hosts: says of each connection whether its host may have it; one that it may not is closed
  ///     before any cryptography. Without it each may have any number.
  ///   - proxies: whose connections begin with a header of the PROXY protocol, version 2, and are
  ///     counted by the host that this names.
  public init(
    on loop: Loop, host: String, port: UInt16, connectionCountMax: Int,
    unfinishedMax: Int = Acceptor.unfinishedMax, hosts: (any HostGuard)? = nil,
    proxies: TrustedProxies = TrustedProxies()
  ) throws(ListenError) {
    self.hosts = hosts
    self.proxies = proxies
    descriptor = try Self.open(host, port)
    self.port = SystemSocket.port(descriptor)
    self.loop = loop
    count = ConnectionCount(max: connectionCountMax, unfinishedMax: unfinishedMax)
    poll = unsafe UVHandle(size: MemoryLayout<uv_poll_t>.size)
    unsafe uv_poll_init(
      loop.uv, poll.memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
    poll.adopt()
    // The closure holds the acceptor, so it lives as long as it has the port, whoever else releases
    // it.
    loop.onShutDown(self) { self.stop() }
  }

  private static func open(_ host: String, _ port: UInt16) throws(ListenError) -> Int32 {
    let addresses: [SocketAddress]
    switch SocketAddress.resolve(host, port, passive: true) {
    case .success(let found): addresses = found
    case .failure(let reason): throw .unknownHost(reason.text)
    }
    guard let address = addresses.first else { throw .unknownHost(host) }
    switch SystemSocket.listening(address, backlog: backlog) {
    case .success(let descriptor): return descriptor
    case .failure(let error):
      if error.isAddressInUse { throw .portInUse(port) }
      if error.isNotAllowed { throw .notAllowed(port) }
      throw .system("\(address.text): \(error.text)")
    }
  }

  /// Accepts from now on, and calls `handOver` with each socket.
  public func start(handingTo handOver: @escaping (AcceptedSocket) -> Void) {
    guard isAccepting else { return }
    self.handOver = handOver
    poll.body = { [unowned self] _, _ in acceptSome() }
    listen()
  }

  /// Closes the listening socket; open connections stay open.
  public func stop() {
    if !isAccepting { return }
    isAccepting = false
    handOver = { _ in }
    poll.close()
    SystemSocket.close(descriptor)
    loop.forgetShutDown(self)
  }

  private func listen() {
    unsafe uv_poll_start(
      poll.memory.assumingMemoryBound(to: uv_poll_t.self), Int32(UV_READABLE.rawValue)
    ) { unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) }, $1, $2) }
  }

  private func acceptSome() {
    let refusedBefore = refusedCount
    var waitsNobody = false
    for _ in 0..<Self.acceptsPerTurnMax where isAccepting && !waitsNobody {
      if count.unfinished >= count.unfinishedMax { return pause(Self.pauseMilliseconds) }
      switch SystemSocket.accept(descriptor) {
      case .success(let (descriptor, address)): accepted(descriptor, address)
      case .failure(let error) where error.isTryAgain: waitsNobody = true
      case .failure(let error) where error.isPeerGone: break
      // The process has no descriptors or no memory left.
      case .failure: return pause(Self.retryMilliseconds)
      }
    }
    if waitsNobody && (refusedCount > refusedBefore || count.isCrowded) {
      pause(Self.pauseMilliseconds)
    }
  }

  /// Accepts nothing for a while. Polling would announce the connection that waits in every turn.
  private func pause(_ milliseconds: UInt64) {
    if !isAccepting { return }
    pauseCount += 1
    unsafe uv_poll_stop(poll.memory.assumingMemoryBound(to: uv_poll_t.self))
    loop.after(milliseconds) { [weak self] in
      if let self, isAccepting { listen() }
    }
  }

  private func accepted(_ descriptor: Int32, _ address: SocketAddress) {
    acceptedCount += 1
    switch socket(descriptor, address) {
    case .success(let socket):
      SystemSocket.tune(descriptor)
      handOver(socket)
    case .failure(let reason):
      refusedCount += 1
      SystemSocket.close(descriptor)
      onRefusal?(address.text, reason)
    }
  }

  private func socket(_ descriptor: Int32, _ address: SocketAddress) -> Result<
    AcceptedSocket, CloseReason
  > {
    guard count.enter() else {
      return .failure(.refused("\(count.countMax) connections are open"))
    }
    let place = AcceptedPlace(count)
    let isProxied = proxies.contains(address)
    var hostPlace: HostPlace?
    if let hosts, !isProxied {
      switch HostPlace.take(address.host, of: hosts, now: loop.monotonicMilliseconds) {
      case .success(let taken): hostPlace = taken
      case .failure(let reason): return .failure(reason)
      }
    }
    return .success(
      AcceptedSocket(
        descriptor: descriptor, address: address, place: place, hostPlace: hostPlace,
        isProxied: isProxied, hosts: hosts))
  }
}
