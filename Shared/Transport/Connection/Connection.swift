internal import Synchronization
public import Wire

/// What happens on a connection; called on its loop.
///
/// Every method may call any method of the connection, also `close`: what a delegate is told is
/// never told from inside a call that the delegate makes.
public protocol ConnectionDelegate: AnyObject {
  /// The handshake is over and frames may be sent.
  func connectionReady(_ connection: Connection)
  /// A frame has come. `body` lives in the read buffer for the length of the call.
  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan)
  /// Called exactly once for a connection that was ready, at the end of the turn it closed in.
  func connectionClosed(_ connection: Connection, reason: CloseReason)
}

/// Frames in both directions with one peer; confined to its loop.
///
/// The hot path allocates nothing: bytes are read into the loop's buffer, frames are handed out as
/// spans over it, replies gather in a block from the loop's pool and leave in one write at the end
/// of the event. Only a connection that is in the middle of a frame, or has bytes to send that
/// the socket does not take, holds memory of its own.
@safe
public final class Connection {
  enum State {
    case handshaking, open
    /// Nothing more is read or queued; what is queued goes out.
    case finishing
    /// All is sent; waits for the peer to close, so that it can read what was sent.
    case lingering
    case closed
  }

  /// Unique in the process; never used again.
  public let number: UInt64
  /// The DNS name in the peer's verified certificate, when it sent one.
  public internal(set) var peerName: String?
  /// The peer's address and port, for logs.
  public internal(set) var address: String
  /// Held until the connection has closed.
  ///
  /// While there is none, nothing is read.
  public var delegate: (any ConnectionDelegate)? {
    get { receiver }
    set {
      let wasDeaf = !hasDelegate
      receiver = newValue
      delegateChanged = true
      hasDelegate = newValue != nil
      if wasDeaf { becomeReadable() }
    }
  }
  /// The delegate, as a stored property without observers: reading it costs no check for exclusive
  /// access at run time.
  private(set) var receiver: (any ConnectionDelegate)?
  /// The owner's own state for this connection, found without a look-up; let go of after closing.
  public var attachment: AnyObject?
  public let loop: Loop
  public let limits: ConnectionLimits

  let channel: ByteChannel
  /// Held until it was told of the end.
  var owner: (any ConnectionOwner)?
  var state = State.handshaking
  let incoming: ByteQueue
  let outgoing: ByteQueue
  var isPausedByOwner = false
  var isPausedByPressure = false
  /// A link goes on reading however much it has to send: were both ends to wait for the other to
  /// read, neither ever would. It refuses calls instead.
  var yieldsToPressure = true
  /// An event of this connection is being handled, at whose end its bytes are flushed.
  var isInEvent = false
  var isInFlushList = false
  var isInReadList = false
  var delegateChanged = false
  var hasDelegate = false
  var hasReceivedFrame = false
  var wasReady = false
  var closeReason = CloseReason.local("")
  /// Milliseconds of the loop's clock.
  var startedAt: UInt64
  var activeAt: UInt64
  var partialSince: UInt64 = 0
  /// Where the loop's table holds this connection.
  var tableIndex = -1

  private static let numbers = Atomic<UInt64>(0)

  init(
    on loop: Loop, channel: ByteChannel, address: String, limits: ConnectionLimits,
    owner: (any ConnectionOwner)?
  ) {
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    self.loop = loop
    self.channel = channel
    incoming = ByteQueue(loop.buffers)
    outgoing = ByteQueue(loop.buffers)
    self.address = address
    self.limits = limits
    self.owner = owner
    startedAt = loop.monotonicMilliseconds
    activeAt = startedAt
    loop.connections.add(self)
  }

  /// Bytes that the peer has not taken yet.
  public var outgoingBytes: Int { outgoing.count }
  public var isOpen: Bool { state == .open }

  // MARK: Events

  /// The channel can be read or written, or both; called once per event of the loop.
  func event(readable: Bool, writable: Bool) {
    switch state {
    case .handshaking: stepHandshake()
    case .open:
      isInEvent = true
      if readable || channel.readWantsWrite { read() }
      isInEvent = false
      if state != .closed { flush() }
    case .finishing:
      if readable { discard() }
      if state != .closed { flush() }
    case .lingering: discard()
    case .closed: break
    }
  }

  private func stepHandshake() {
    if !loop.connections.takeHandshakeStep() { return }  // polling tells again in the next turn
    switch channel.handshake() {
    case .underWay: break
    case .failed(let reason): close(reason)
    case .done(let name):
      peerName = name
      open()
    }
  }

  func open() {
    state = .open
    activeAt = loop.monotonicMilliseconds
    owner?.connectionOpened(self)
    if state != .open { return }
    wasReady = true
    delegate?.connectionReady(self)
    // The first frames may have come along with the end of the handshake.
    if state == .open { event(readable: !isPaused, writable: false) }
  }

  // MARK: Closing

  /// Closes at once; what is queued is lost. The delegate hears at the end of the turn.
  public func close(_ reason: CloseReason) {
    if state == .closed { return }
    state = .closed
    closeReason = reason
    channel.close()
    loop.connections.closed(self)
  }

  /// Sends what is queued, tells the peer, and closes when it has answered or time is up.
  public func finish(_ reason: CloseReason) {
    switch state {
    case .open:
      state = .finishing
      closeReason = reason
      startedAt = loop.monotonicMilliseconds
      loop.connections.expectSweep(within: limits.finishMilliseconds)
      loop.connections.flushLater(self)
    case .handshaking: close(reason)
    case .finishing, .lingering, .closed: break
    }
  }

  /// At the end of the turn in which the connection closed: the last thing anybody hears of it.
  func tellClosed() {
    incoming.clear()
    outgoing.clear()
    let delegate = delegate
    self.delegate = nil
    if wasReady { delegate?.connectionClosed(self, reason: closeReason) }
    owner?.connectionClosed(self, reason: closeReason)
    owner = nil
    attachment = nil
  }
}

/// The listener or link that a connection belongs to.
protocol ConnectionOwner: AnyObject {
  func connectionOpened(_ connection: Connection)
  /// Every connection, also one that never opened, exactly once.
  func connectionClosed(_ connection: Connection, reason: CloseReason)
}
