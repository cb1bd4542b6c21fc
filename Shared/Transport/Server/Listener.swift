internal import CUV

/// Why a port cannot be listened on; the text says what to do about it.
public enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  case portInUse(UInt16)
  case notAllowed(UInt16)
  case unknownHost(String)
  case system(String)

  public var description: String {
    switch self {
    case .portInUse(let port):
      "port \(port) is in use by another process: stop that one or choose another port"
    case .notAllowed(let port): "not allowed to listen on port \(port): ports below 1024 need root"
    case .unknownHost(let why): "cannot listen: \(why)"
    case .system(let why): "cannot listen: \(why)"
    }
  }
}

/// What a listener has seen since it was made.
public struct ListenerCounts: Sendable {
  public var accepted: UInt64 = 0
  public var opened: UInt64 = 0
  public var resumed: UInt64 = 0
  public var handshakesFailed: UInt64 = 0
  /// Closed at once because `connectionCountMax` was reached.
  public var refusedAtLimit: UInt64 = 0
}

/// Accepts connections on a port; confined to its loop.
@safe
public final class Listener {
  /// Connections accepted in one turn, so that a storm of them lets the others live.
  static let acceptsPerTurnMax = 64
  /// How long to let be when the process has no descriptors left.
  static let retryMilliseconds: UInt64 = 100
  /// Connections that the system may hold for us; it cuts this to its own maximum.
  static let backlog: Int32 = 4096

  /// The port listened on; the one the system chose when 0 was asked for.
  public let port: UInt16
  public private(set) var counts = ListenerCounts()
  /// Told of every connection that never opened: the peer's address and why.
  public var onHandshakeFailure: ((String, CloseReason) -> Void)?
  public var connectionCount: Int { connections.count }

  private let loop: Loop
  private let tls: TLSServerContext
  private let limits: ConnectionLimits
  private let connectionCountMax: Int
  private let accept: (Connection) -> (any ConnectionDelegate)?
  private let descriptor: Int32
  private let poll: UVHandle
  private var isAccepting = true
  private var connections: [UInt64: Connection] = [:]
  private var onDrained: (() -> Void)?

  /// Listens from now on, for as long as the loop runs or until `stopAccepting`.
  /// - Parameters:
  ///   - port: 0 lets the system choose; `port` tells which.
  ///   - connectionCountMax: over it, new connections are closed before any cryptography.
  ///   - accept: called after the handshake, when the peer's name is known; nil refuses.
  public init(
    on loop: Loop, host: String, port: UInt16, tls: TLSServerContext, limits: ConnectionLimits,
    connectionCountMax: Int, accept: @escaping (Connection) -> (any ConnectionDelegate)?
  ) throws(ListenError) {
    descriptor = try Self.open(host, port)
    self.port = Socket.port(descriptor)
    self.loop = loop
    self.tls = tls
    self.limits = limits
    self.connectionCountMax = connectionCountMax
    self.accept = accept
    poll = unsafe UVHandle(size: MemoryLayout<uv_poll_t>.size)
    unsafe uv_poll_init(
      loop.uv, poll.memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
    poll.adopt()
    // The listener lives as long as it listens, whoever else lets go of it.
    poll.body = { _, _ in self.acceptSome() }
    loop.onShutDown(self) { self.stopAccepting() }
    listen()
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

  private func listen() {
    unsafe uv_poll_start(
      poll.memory.assumingMemoryBound(to: uv_poll_t.self), Int32(UV_READABLE.rawValue)
    ) { unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) }, $1, $2) }
  }

  private func acceptSome() {
    for _ in 0..<Self.acceptsPerTurnMax where isAccepting {
      switch Socket.accept(descriptor) {
      case .success(let (descriptor, address)): begin(descriptor, address)
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

  private func begin(_ descriptor: Int32, _ address: String) {
    counts.accepted += 1
    if connections.count >= connectionCountMax {
      counts.refusedAtLimit += 1
      Socket.close(descriptor)
      onHandshakeFailure?(address, .refused("\(connectionCountMax) connections are open"))
      return
    }
    do {
      let channel = try TLSChannel(
        on: loop, descriptor: descriptor, context: tls.context, serverName: nil)
      let connection = Connection(
        on: loop, channel: channel, address: address, limits: limits, owner: self)
      connections[connection.number] = connection
      channel.start(connection)
    } catch {
      onHandshakeFailure?(address, error)
    }
  }

  /// Frees the port; connections go on.
  public func stopAccepting() {
    if !isAccepting { return }
    isAccepting = false
    poll.close()
    Socket.close(descriptor)
    loop.forgetShutDown(self)
  }

  /// Stops accepting, sends what every connection has queued, and closes them all.
  ///
  /// - Parameters:
  ///   - milliseconds: those that are not done by then are closed as they are.
  ///   - then: called once, when the last one has closed.
  public func drain(within milliseconds: UInt64, then: @escaping () -> Void) {
    stopAccepting()
    onDrained = then
    for connection in connections.values { connection.finish(.drained) }
    loop.after(milliseconds) { [weak self] in
      guard let self else { return }
      for connection in connections.values { connection.close(.drained) }
    }
    loop.atEndOfTurn { [self] in checkDrained() }
  }

  private func checkDrained() {
    guard connections.isEmpty, let then = onDrained else { return }
    onDrained = nil
    then()
  }
}

extension Listener: ConnectionOwner {
  func connectionOpened(_ connection: Connection) {
    counts.opened += 1
    if let channel = connection.channel as? TLSChannel, channel.isResumed { counts.resumed += 1 }
    guard let delegate = accept(connection) else {
      connection.close(.refused("not accepted"))
      return
    }
    if connection.isOpen { connection.delegate = delegate }
  }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    connections[connection.number] = nil
    if !connection.wasReady {
      counts.handshakesFailed += 1
      onHandshakeFailure?(connection.address, reason)
    }
    checkDrained()
  }
}
