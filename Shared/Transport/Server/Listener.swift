/// The counts of a listener since it was made.
public struct ListenerCounts: Sendable {
  public var accepted: UInt64 = 0
  public var opened: UInt64 = 0
  public var resumed: UInt64 = 0
  public var handshakesFailed: UInt64 = 0
  /// Connections closed at once because `connectionCountMax` were open.
  public var refusedAtLimit: UInt64 = 0
}

/// Accepts connections on a port and serves them, all on one loop; confined to it.
///
/// This is a server with one loop. A server with several has an `Acceptor` on one of them and a
/// `ConnectionServer` on each.
public final class Listener {
  /// The port of the listening socket. If 0 was asked for, it is the one that the system chose.
  public var port: UInt16 { acceptor.port }
  public var connectionCount: Int { server.connectionCount }
  /// Those among them whose handshakes have ended.
  public var openCount: Int { server.openCount }
  /// Called for every connection that never opened, with the peer's address and the reason.
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
  ///   - port: 0 lets the system choose; the property `port` tells which.
  ///   - connectionCountMax: when so many are open, new connections are closed before any
  ///     cryptography.
  ///   - unfinishedMax: when the handshakes of so many have not ended, new connections wait in the
  ///     system.
  ///   - accept: called after each handshake, when the peer's name is known; returns the
  ///     connection's delegate, or nil to refuse the connection.
  public init(
    on loop: Loop, host: String, port: UInt16, tls: TLSServerContext, limits: ConnectionLimits,
    connectionCountMax: Int, unfinishedMax: Int = Acceptor.unfinishedMax,
    accept: @escaping (Connection) -> (any ConnectionDelegate)?
  ) throws(ListenError) {
    acceptor = try Acceptor(
      on: loop, host: host, port: port, connectionCountMax: connectionCountMax,
      unfinishedMax: unfinishedMax)
    server = ConnectionServer(on: loop, tls: tls, limits: limits, accept: accept)
    acceptor.start { [server] socket in server.serve(socket) }
  }

  public var counts: ListenerCounts {
    ListenerCounts(
      accepted: acceptor.acceptedCount, opened: server.counts.opened,
      resumed: server.counts.resumed, handshakesFailed: server.counts.handshakesFailed,
      refusedAtLimit: acceptor.refusedCount)
  }

  /// See `ConnectionServer.renew`.
  public func renew(_ tls: TLSServerContext) { server.renew(tls) }

  /// Closes the listening socket; open connections stay open.
  public func stopAccepting() { acceptor.stop() }

  /// Accepts and reads nothing more. Each connection is closed when all that was read from it is
  /// answered and the answers are sent.
  ///
  /// - Parameters:
  ///   - milliseconds: connections that are not done by then are closed as they are.
  ///   - then: called once, when the last connection has closed.
  public func drain(within milliseconds: UInt64, then: @escaping () -> Void) {
    acceptor.stop()
    server.drain(within: milliseconds, then: then)
  }
}
