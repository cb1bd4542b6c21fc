/// What a listener has seen since it was made.
public struct ListenerCounts: Sendable {
  public var accepted: UInt64 = 0
  public var opened: UInt64 = 0
  public var resumed: UInt64 = 0
  public var handshakesFailed: UInt64 = 0
  /// Closed at once because `connectionCountMax` was reached.
  public var refusedAtLimit: UInt64 = 0
}

/// Accepts connections on a port and serves them, all on one loop; confined to it.
///
/// The plain form of a server. One with several loops has an `Acceptor` on one of them and a
/// `ConnectionServer` on each.
public final class Listener {
  /// The port listened on; the one the system chose when 0 was asked for.
  public var port: UInt16 { acceptor.port }
  public var connectionCount: Int { server.connectionCount }
  /// Told of every connection that never opened: the peer's address and why.
  public var onHandshakeFailure: ((String, CloseReason) -> Void)? {
    didSet {
      acceptor.onRefusal = onHandshakeFailure
      server.onHandshakeFailure = onHandshakeFailure
    }
  }

  private let acceptor: Acceptor
  private let server: ConnectionServer

  /// Listens from now on, for as long as the loop runs or until `stopAccepting`.
  /// - Parameters:
  ///   - port: 0 lets the system choose; `port` tells which.
  ///   - connectionCountMax: over it, new connections are closed before any cryptography.
  ///   - accept: called after the handshake, when the peer's name is known; nil refuses.
  public init(
    on loop: Loop, host: String, port: UInt16, tls: TLSServerContext, limits: ConnectionLimits,
    connectionCountMax: Int, accept: @escaping (Connection) -> (any ConnectionDelegate)?
  ) throws(ListenError) {
    acceptor = try Acceptor(
      on: loop, host: host, port: port, connectionCountMax: connectionCountMax)
    server = ConnectionServer(on: loop, tls: tls, limits: limits, accept: accept)
    acceptor.start { [server] socket in server.serve(socket) }
  }

  public var counts: ListenerCounts {
    ListenerCounts(
      accepted: acceptor.acceptedCount, opened: server.counts.opened,
      resumed: server.counts.resumed, handshakesFailed: server.counts.handshakesFailed,
      refusedAtLimit: acceptor.refusedCount)
  }

  /// Frees the port; connections go on.
  public func stopAccepting() { acceptor.stop() }

  /// Stops accepting, sends what every connection has queued, and closes them all.
  ///
  /// - Parameters:
  ///   - milliseconds: those that are not done by then are closed as they are.
  ///   - then: called once, when the last one has closed.
  public func drain(within milliseconds: UInt64, then: @escaping () -> Void) {
    acceptor.stop()
    server.drain(within: milliseconds, then: then)
  }
}
