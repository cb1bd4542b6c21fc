internal import Synchronization
public import Wire

/// Hears what happens on a connection; called on the connection's loop.
///
/// Every method may call any method of the connection, also `close`. The connection never calls its
/// delegate from inside a call that the delegate makes.
public protocol ConnectionDelegate: AnyObject {
  /// The handshake is over and frames may be sent.
  func connectionReady(_ connection: Connection)
  /// So many bytes were taken off the network, with what TLS adds to frames. Called before the
  /// frames in them are handed out, which are not if the delegate holds the connection back.
  func connection(_ connection: Connection, read byteCount: Int)
  /// A frame has come. `body` is valid for the length of the call: it lies in the read buffer.
  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan)
  /// Whether requests of the peer are still to be answered. A server that stops closes no
  /// connection before they are.
  var owesAnswers: Bool { get }
  /// Whether the peer has not said who it is. Strangers go first where all together hold too much.
  var isStranger: Bool { get }
  /// Nothing was read or written for a second or two, for the first time since something was. What
  /// is kept to be used again may be released: most connections are silent for long.
  func connectionRests(_ connection: Connection)
  /// The connection has closed. Called exactly once for a connection that was ready, at the end of
  /// the turn in which it closed.
  func connectionClosed(_ connection: Connection, reason: CloseReason)
}

extension ConnectionDelegate {
  public var owesAnswers: Bool { false }
  public var isStranger: Bool { false }
  public func connection(_ connection: Connection, read byteCount: Int) {}
  public func connectionRests(_ connection: Connection) {}
}

/// Exchanges frames with one peer; confined to its loop.
///
/// The hot path allocates nothing. Bytes are read into the loop's buffer, and frames are handed out
/// as spans over it. Replies gather in a block from the loop's pool and leave in one write at the
/// end of the event. A connection holds memory of its own only in the middle of a frame, or while
/// it has bytes to send that the socket does not take.
@safe
public final class Connection {
  enum State {
    case handshaking, open
    /// No more frames are taken or queued; the queued bytes are being sent.
    case finishing
    /// Everything is sent. The connection waits for the peer to close: closed at once, it could
    /// take from the peer what the peer has not read yet.
    case lingering
    case closed
  }

  /// The connection's number, unique for the life of the process.
  public let number: UInt64
  /// The DNS name in the peer's verified certificate, when it sent one.
  public internal(set) var peerName: String?
  /// The peer's address and port, for logs.
  public internal(set) var address: String
  /// Whom a connection that was accepted is counted by.
  public internal(set) var host: PeerHost
  /// Hears of frames and of the end; held until the connection has closed. Without a delegate,
  /// nothing is read.
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
  /// The delegate again, as a stored property without observers: reading it for every frame then
  /// costs no check for exclusive access at run time.
  private(set) var receiver: (any ConnectionDelegate)?
  /// State that the delegate keeps with this connection, to find it without a look-up; released
  /// after closing.
  public var attachment: AnyObject?
  public let loop: Loop
  public var limits: ConnectionLimits { sharedLimits.values }
  private let sharedLimits: SharedLimits

  let socket: ConnectionSocket
  /// The server or link that made the connection; held until it was told of the end.
  var owner: (any ConnectionOwner)?
  var state = State.handshaking
  let incoming: ByteQueue
  let outgoing: ByteQueue
  /// Live data that waits for its turn; see `send(_:prefix:body:replacing:)`.
  var newest = NewestQueue()
  /// Bounds what this and other connections hold together.
  let queueBound: QueueBound?
  /// Bytes of live data among `outgoing`, at most: what of it has left is not known while some is
  /// left.
  var liveBytes = 0
  /// Bytes of `newest` that were counted there.
  private var countedNewest = 0
  /// Bytes that the socket takes, while live data waits, before some of that has its turn.
  var bytesToTurn = Connection.turnBytes
  /// Whether the socket has not taken all of `outgoing`. Only then is there anything in `newest`.
  var isBehind = false
  /// Whether reading waits until the peer takes what is queued for it.
  var isPausedByPressure = false
  /// Whether much to send pauses reading. A link goes on reading and refuses calls instead: if both
  /// ends waited for the other one to read, neither ever would.
  var yieldsToPressure = true
  /// Whether nothing is read until `heldUntil`, since the delegate wants nothing.
  var isHeldBack = false
  var heldUntil: UInt64 = 0
  /// Whether the last event has read all that it may, and there may be more. The connection then
  /// waits for its turn among others like it, and is not polled meanwhile.
  var hasSpentReading = false
  /// Whether nothing is read any more, since the process stops.
  var hasStoppedReading = false
  /// Whether an event of this connection is being handled; at its end queued bytes are flushed.
  var isInEvent = false
  var isInFlushList = false
  var isInLazyList = false
  /// Whether pushes on this connection wait for others.
  var isGathering = false
  /// Whether all of `outgoing` may wait for something else to be sent.
  var isLazy = false
  var isInReadList = false
  var isInSpentList = false
  var isInHandshakeQueue = false
  /// Since when a step of the handshake waits there.
  var queuedAt: UInt64 = 0
  /// How many bytes this side has answered by in the handshake.
  var answeredCount: UInt64 = 0
  /// Whether the peer has not said yet what this side answers with the first bytes of its own: so
  /// much of a handshake as one byte is nothing.
  var isSilent: Bool { answeredCount == 0 }
  /// Whether a delegate was set since the frame now being handled was handed out.
  var delegateChanged = false
  var hasDelegate = false
  var hasReceivedFrame = false
  /// Whether a ping was read that is not answered yet. One answer is for all pings of an event.
  var owesPing = false
  /// Frames that were queued for the peer.
  var sentFrameCount: UInt64 = 0
  var wasReady = false
  var closeReason = CloseReason.local("")
  // The times are milliseconds of the loop's clock.

  /// When the handshake began, or `finish` was called.
  var startedAt: UInt64
  /// When the peer last showed that it is alive: by a whole frame, by what it takes while nothing
  /// is read, or in a handshake by what this side answers.
  var activeAt: UInt64
  /// When bytes of the peer were read last.
  var readAt: UInt64 = 0
  /// When `isLazy` became true, and when a push was queued last.
  var lazySince: UInt64 = 0
  var pushedAt: UInt64 = 0
  /// When the unfinished frame in `incoming` began, at the latest.
  var partialSince: UInt64 = 0
  /// Where the loop's table holds this connection.
  var tableIndex = -1

  private static let numbers = Atomic<UInt64>(0)

  init(
    on loop: Loop, socket: ConnectionSocket, address: String, host: PeerHost = .none,
    limits: SharedLimits, owner: (any ConnectionOwner)?, queueBound: QueueBound? = nil
  ) {
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    self.loop = loop
    self.socket = socket
    self.queueBound = queueBound
    incoming = ByteQueue(loop.buffers, queueBound)
    outgoing = ByteQueue(loop.buffers, queueBound)
    self.address = address
    self.host = host
    sharedLimits = limits
    self.owner = owner
    startedAt = loop.monotonicMilliseconds
    activeAt = startedAt
    loop.connections.add(self)
  }

  /// Bytes that the peer has not taken yet, without live data that waits for its turn.
  public var outgoingBytes: Int { outgoing.count }
  /// Bytes of live data that wait for their turn.
  public var newestBytes: Int { newest.byteCount }
  public var isOpen: Bool { state == .open }
  /// Bytes that are taken for what was not handed out, or not sent.
  var heldBytes: Int { incoming.capacity + outgoing.capacity + newest.byteCount }

  /// Tells the bound of live data that waits, or does not any more.
  func countNewest() {
    queueBound?.count(newest.byteCount - countedNewest)
    countedNewest = newest.byteCount
  }

  // MARK: Events

  /// Handles that the socket can be read or written, or both. Called once per event of the loop.
  func event(readable: Bool, writable: Bool) {
    switch state {
    case .handshaking:
      if socket.handshakeWaits {
        socket.want(read: false, write: false)
        loop.connections.stepLater(self)
      } else {
        stepHandshake()
      }
    case .open:
      isInEvent = true
      if readable || socket.readWantsWrite { read() }
      isInEvent = false
      if state != .closed && (!isLazy || writable) { flush() }
    case .finishing:
      if readable { discard() }
      if state != .closed { flush() }
    case .lingering: discard()
    case .closed: break
    }
  }

  /// Takes one step of the handshake. The socket then asks for the event that the next one needs.
  func stepHandshake() {
    socket.beginReading(bytesMax: limits.readBytesPerEvent)
    switch socket.handshake() {
    case .underWay: noteStep()
    case .failed(let reason): close(reason)
    case .done(let name):
      peerName = name
      open()
    }
  }

  private func noteStep() {
    let now = loop.monotonicMilliseconds
    let wasSilent = isSilent
    let count = socket.writtenCount
    if count > answeredCount { (answeredCount, activeAt) = (count, now) }
    if wasSilent && hasBegun { loop.connections.handshakes.begunCount += 1 }
    // A peer that sends one byte after the other waits for a step whenever a sweep looks.
    checkTime(now)
  }

  /// Whether this side has answered the first message of a client whose handshake has not ended.
  var hasBegun: Bool { state == .handshaking && !isSilent && socket.handshakeWaits }

  /// Called when a handshake ends, well or badly, before that is noted.
  private func endHandshake() {
    if hasBegun { loop.connections.handshakes.begunCount -= 1 }
  }

  func open() {
    // The bytes of the handshake are nobody's frames.
    _ = socket.takeReadCount()
    endHandshake()
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

  /// Hands out no more frames, also none of those that were read already. What is queued is sent,
  /// and answers may still be.
  func stopReading() {
    hasStoppedReading = true
    // The peer cannot show any more that it is alive.
    activeAt = loop.monotonicMilliseconds
    updateInterest()
  }

  /// Closes at once; queued frames are lost. The delegate hears of it at the end of the turn.
  public func close(_ reason: CloseReason) {
    if state == .closed { return }
    endHandshake()
    state = .closed
    closeReason = reason
    socket.close()
    loop.connections.closed(self)
  }

  /// Sends the queued frames, tells the peer that no more come, and closes when the peer has closed
  /// too or `finishMilliseconds` have passed.
  public func finish(_ reason: CloseReason) {
    switch state {
    case .open:
      state = .finishing
      closeReason = reason
      startedAt = loop.monotonicMilliseconds
      _ = newest.removeAll()
      countNewest()
      loop.connections.expectSweep(within: limits.finishMilliseconds)
      loop.connections.flushLater(self)
    case .handshaking: close(reason)
    case .finishing, .lingering, .closed: break
    }
  }

  /// Tells delegate and owner of the end, and releases everything. Called at the end of the turn in
  /// which the connection closed; nobody hears of it after that.
  func tellClosed() {
    incoming.clear()
    outgoing.clear()
    _ = newest.removeAll()
    countNewest()
    let delegate = delegate
    self.delegate = nil
    if wasReady { delegate?.connectionClosed(self, reason: closeReason) }
    owner?.connectionClosed(self, reason: closeReason)
    owner = nil
    attachment = nil
  }
}

/// The server or link that makes a connection.
protocol ConnectionOwner: AnyObject {
  /// Whether so many handshakes have not ended that slow peers keep others out.
  var isCrowded: Bool { get }
  /// Peers that let their handshakes wait keep others from beginning theirs.
  func handshakesAreHeldUp()
  func connectionOpened(_ connection: Connection)
  /// The connection has closed. Called exactly once for every connection, also for one that never
  /// opened.
  func connectionClosed(_ connection: Connection, reason: CloseReason)
}
