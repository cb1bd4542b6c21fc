/// Serves the connections that are handed to one loop, from their handshakes to their ends;
/// confined to that loop.
public final class ConnectionServer {
  private struct Served {
    let connection: Connection
    let place: AcceptedPlace
    var hostPlace: HostPlace?
    var isOpen = false
  }

  /// Counts since the server was made.
  public struct Counts: Sendable {
    public var opened: UInt64 = 0
    public var resumed: UInt64 = 0
    public var handshakesFailed: UInt64 = 0
  }

  public private(set) var counts = Counts()
  /// Called for every connection that never opened, with the peer's address and the reason.
  public var onHandshakeFailure: ((String, CloseReason) -> Void)?
  public var connectionCount: Int { connections.count }
  /// Those among them whose handshakes have ended.
  public private(set) var openCount = 0

  private let loop: Loop
  private var tls: TLSServerContext
  private let limits: SharedLimits
  private let queueBound: QueueBound?
  private let accept: (Connection) -> (any ConnectionDelegate)?
  private var connections: [UInt64: Served] = [:]
  private let unfinished: HandshakeRoom
  /// The counts of the acceptor that hands its sockets over.
  private var places: ConnectionCount?
  private var isDraining = false
  private var onDrained: (() -> Void)?

  /// - Parameters:
  ///   - queuedBytesMax: what the queues of all connections may hold together; past that, those
  ///     that hold most are closed.
  ///   - accept: called after each handshake, when the peer's name is known; returns the
  ///     connection's delegate, or nil to refuse the connection.
  public init(
    on loop: Loop, tls: TLSServerContext, limits: ConnectionLimits, queuedBytesMax: Int? = nil,
    accept: @escaping (Connection) -> (any ConnectionDelegate)?
  ) {
    self.loop = loop
    self.tls = tls
    self.limits = SharedLimits(limits)
    unfinished = HandshakeRoom(on: loop, patience: limits.patienceMilliseconds)
    queueBound = queuedBytesMax.map { QueueBound(on: loop, bytesMax: $0) }
    self.accept = accept
    // The closure holds the server for as long as the loop runs: an accepted socket may still be on
    // its way to it.
    loop.onShutDown(self) { self.isDraining = true }
  }

  /// Shows another certificate, and asks for those of another authority, in the handshakes that
  /// begin from now on. Connections that are there live on.
  public func renew(_ tls: TLSServerContext) { self.tls = tls }

  /// See `TLSServerContext.sealTickets`.
  public func sealTickets(with secret: [UInt8]) { tls.sealTickets(with: secret) }

  /// Begins the handshake on a socket. While draining, and at the loop's end, the socket is closed
  /// instead.
  public func serve(_ accepted: AcceptedSocket) {
    if isDraining || loop.isOver { return }
    guard let descriptor = accepted.take() else { return }
    SystemSocket.limitUnsent(descriptor, limits.values.unsentBytesMax)
    do {
      let socket = try TLSSocket(
        on: loop, descriptor: descriptor, context: tls.context, serverName: nil)
      let connection = Connection(
        on: loop, socket: socket, address: accepted.address, host: accepted.host, limits: limits,
        owner: self, queueBound: queueBound)
      connections[connection.number] = Served(
        connection: connection, place: accepted.place, hostPlace: accepted.hostPlace)
      if accepted.isProxied { readHeader(of: connection, on: socket, accepted.hosts) }
      places = accepted.place.count
      unfinished.add(connection, in: accepted.place)
      socket.start(connection)
    } catch {
      onHandshakeFailure?(accepted.address, error)
    }
  }

  /// Has the balancer at the other end say whose the connection is, before the handshake. That is
  /// whom it is counted by; a health check of the balancer's is nobody's.
  private func readHeader(
    of connection: Connection, on socket: TLSSocket, _ hosts: (any HostGuard)?
  ) {
    socket.readHeader { [unowned self, unowned connection] peer in
      guard let peer else { return nil }
      (connection.address, connection.host) = (peer.text, peer.host)
      guard let hosts else { return nil }
      switch HostPlace.take(peer.host, of: hosts, now: loop.monotonicMilliseconds) {
      case .success(let place):
        connections[connection.number]?.hostPlace = place
        return nil
      case .failure(let reason): return reason
      }
    }
  }

  /// How often it is looked whether connections owe no more answers: short beside a call, long
  /// beside a turn.
  private static var drainLookMilliseconds: UInt64 { 5 }

  /// Reads nothing more. Each connection is closed when all that was read from it is answered and
  /// the answers are sent.
  ///
  /// - Parameters:
  ///   - milliseconds: connections that are not done by then are closed as they are.
  ///   - then: called once, when the last connection has closed.
  public func drain(within milliseconds: UInt64, then: @escaping () -> Void) {
    isDraining = true
    onDrained = then
    let all = connections.values.map(\.connection)
    for connection in all { connection.stopReading() }
    finishAnswered(all)
    loop.after(milliseconds) { [weak self] in
      guard let self else { return }
      for served in connections.values { served.connection.close(.drained) }
    }
    loop.atEndOfTurn { [self] in checkDrained() }
  }

  /// Finishes those of the connections that owe no answers, and looks at the others a little later.
  /// One whose handshake is not over, or that has closed by itself, owes none.
  private func finishAnswered(_ connections: [Connection]) {
    var owing: [Connection] = []
    for connection in connections {
      if connection.receiver?.owesAnswers == true {
        owing.append(connection)
      } else {
        connection.finish(.drained)
      }
    }
    if owing.isEmpty { return }
    loop.after(Self.drainLookMilliseconds) { [weak self] in self?.finishAnswered(owing) }
  }

  private func checkDrained() {
    guard connections.isEmpty, let then = onDrained else { return }
    onDrained = nil
    then()
  }
}

extension ConnectionServer: ConnectionOwner {
  var isCrowded: Bool { places?.isCrowded ?? false }

  func handshakesAreHeldUp() {
    if let places { unfinished.makeRoomLater(places) }
  }

  func connectionOpened(_ connection: Connection) {
    counts.opened += 1
    openCount += 1
    connections[connection.number]?.isOpen = true
    connections[connection.number]?.place.finish()
    unfinished.remove(connection)
    if let socket = connection.socket as? TLSSocket, socket.isResumed { counts.resumed += 1 }
    guard let delegate = accept(connection) else {
      connection.close(.refused("not accepted"))
      return
    }
    if connection.isOpen { connection.delegate = delegate }
  }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    let served = connections.removeValue(forKey: connection.number)
    unfinished.remove(connection)
    if served?.isOpen == true { openCount -= 1 }
    if !connection.wasReady {
      counts.handshakesFailed += 1
      onHandshakeFailure?(connection.address, reason)
    }
    checkDrained()
  }
}
