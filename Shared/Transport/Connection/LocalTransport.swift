/// Makes connections in memory, without system sockets and TLS, over the same framing, limits and
/// queues.
///
/// Bytes are delivered at the end of turns, `chunkSize` at a time. So a test can drip a stream byte
/// by byte through the real code, and needs no clock.
public enum LocalTransport {
  /// Returns two connected ends. Each starts to read when it has a delegate.
  ///
  /// - Parameters:
  ///   - chunkSize: the most bytes that one event delivers.
  ///   - clientName: the peer's name that the server's end sees.
  ///   - serverName: the peer's name that the client's end sees.
  public static func pair(
    on loop: Loop, clientLimits: ConnectionLimits = .server,
    serverLimits: ConnectionLimits = .server, chunkSize: Int = 16 << 10,
    clientName: String? = nil, serverName: String? = nil
  ) -> (client: Connection, server: Connection) {
    pair(
      on: loop, clientLimits, serverLimits, chunkSize, clientName, serverName, serverBound: nil)
  }

  static func pair(
    on loop: Loop, _ clientLimits: ConnectionLimits = .server,
    _ serverLimits: ConnectionLimits = .server, _ chunkSize: Int = 16 << 10,
    _ clientName: String? = nil, _ serverName: String? = nil, serverBound: QueueBound?
  ) -> (client: Connection, server: Connection) {
    let ends = sockets(loop, chunkSize)
    let client = connection(loop, ends.0, clientLimits, nil, peerName: serverName)
    let server = connection(
      loop, ends.1, serverLimits, nil, peerName: clientName, bound: serverBound)
    for connection in [client, server] { loop.atEndOfTurn { connection.openLocally() } }
    return (client, server)
  }

  static func sockets(_ loop: Loop, _ chunkSize: Int) -> (LocalSocket, LocalSocket) {
    let ends = (LocalSocket(loop, chunkSize), LocalSocket(loop, chunkSize))
    ends.0.peer = ends.1
    ends.1.peer = ends.0
    return ends
  }

  static func connection(
    _ loop: Loop, _ socket: LocalSocket, _ limits: ConnectionLimits,
    _ owner: (any ConnectionOwner)?, peerName: String?, bound: QueueBound? = nil
  ) -> Connection {
    let connection = Connection(
      on: loop, socket: socket, address: "local", limits: SharedLimits(limits), owner: owner,
      queueBound: bound)
    connection.peerName = peerName
    socket.connection = connection
    return connection
  }
}

extension Connection {
  fileprivate func openLocally() { if state == .handshaking { open() } }

  /// Sends raw bytes on a local connection, for tests of bytes that no encoder writes.
  public func sendRaw(_ bytes: [UInt8]) {
    if state != .open { return }
    unsafe bytes.withUnsafeBytes { unsafe outgoing.append($0) }
    loop.connections.flushLater(self)
  }
}

/// Where a `Link` finds a server in memory, as it finds one in the network at a host and a port.
public final class LocalPort {
  private let loop: Loop
  private let limits: ConnectionLimits
  private let chunkSize: Int
  private let accept: (Connection) -> (any ConnectionDelegate)?
  /// Whether attempts to connect succeed.
  public var isListening = true

  public init(
    on loop: Loop, limits: ConnectionLimits = .server, chunkSize: Int = 16 << 10,
    accept: @escaping (Connection) -> (any ConnectionDelegate)?
  ) {
    self.loop = loop
    self.limits = limits
    self.chunkSize = chunkSize
    self.accept = accept
  }

  /// Returns the client's end of a new connection, whose other end is handed to `accept`; nil when
  /// nobody listens. The caller sets the delegate of its end.
  public func connect(limits: ConnectionLimits = .player, peerName: String? = nil) -> Connection? {
    connect(owner: nil, limits: limits, peerName: peerName)
  }

  func connect(owner: (any ConnectionOwner)?, limits: ConnectionLimits, peerName: String?)
    -> Connection?
  {
    if !isListening || loop.isOver { return nil }
    let ends = LocalTransport.sockets(loop, chunkSize)
    let client = LocalTransport.connection(loop, ends.0, limits, owner, peerName: nil)
    let server = LocalTransport.connection(loop, ends.1, self.limits, nil, peerName: peerName)
    loop.atEndOfTurn { [accept] in
      if server.state == .handshaking, let delegate = accept(server) {
        server.delegate = delegate
        server.openLocally()
        client.openLocally()
      } else {
        server.close(.refused("not accepted"))
        client.close(.handshake("not accepted"))
      }
    }
    return client
  }
}

/// One end of a connection in memory. What the peer writes waits here until it is delivered.
final class LocalSocket: ConnectionSocket {
  /// Bytes that wait at one end before the other must wait, like the buffer of a system's socket.
  static let capacity = 256 << 10

  weak var peer: LocalSocket?
  var connection: Connection?
  private let loop: Loop
  private let chunkSize: Int
  private let inbox: ByteQueue
  /// Bytes of the inbox that may be read in this event.
  private var available = 0
  private var readCount = 0
  private var wantsRead = false
  private var wantsWrite = false
  private var peerHasEnded = false
  private var isScheduled = false

  init(_ loop: Loop, _ chunkSize: Int) {
    self.loop = loop
    inbox = ByteQueue(loop.buffers)
    self.chunkSize = max(chunkSize, 1)
  }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    let count = min(available, inbox.count, buffer.count)
    if count == 0 {
      return peerHasEnded && inbox.isEmpty ? .failed(.endOfStream) : .wouldBlock
    }
    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: inbox.readable[..<count]))
    inbox.consume(count)
    inbox.trim()
    available -= count
    readCount += count
    schedule()
    peer?.schedule()
    return .bytes(count)
  }

  override func takeReadCount() -> Int {
    defer { readCount = 0 }
    return readCount
  }

  override func write(_ buffer: UnsafeRawBufferPointer) -> Outcome {
    guard let peer, peer.connection != nil else { return .failed(.reset("the peer has closed")) }
    let count = min(buffer.count, Self.capacity - peer.inbox.count)
    if count <= 0 { return .wouldBlock }
    unsafe peer.inbox.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    peer.schedule()
    return .bytes(count)
  }

  override func want(read: Bool, write: Bool) {
    wantsRead = read
    wantsWrite = write
    schedule()
  }

  private var canRead: Bool { wantsRead && (!inbox.isEmpty || peerHasEnded) }
  private var canWrite: Bool {
    guard wantsWrite else { return false }
    guard let peer else { return true }
    return peer.inbox.count < Self.capacity
  }

  /// Sends the connection one event at the end of the turn, if it can read or write by then. A
  /// closed one gets none: its end of file stays readable, so the loop would never wait again.
  fileprivate func schedule() {
    if isScheduled || connection == nil || !(canRead || canWrite) { return }
    isScheduled = true
    loop.atEndOfTurn { [self] in
      isScheduled = false
      let (readable, writable) = (canRead, canWrite)
      available = min(inbox.count, chunkSize)
      if readable || writable { connection?.event(readable: readable, writable: writable) }
      schedule()
    }
  }

  override func endWriting() {
    peer?.peerHasEnded = true
    peer?.schedule()
  }

  override func close() {
    endWriting()
    connection = nil
  }
}
