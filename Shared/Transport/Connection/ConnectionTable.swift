/// All connections of a loop in one array, and the lists of those that need something at the end of
/// the turn.
///
/// One coarse sweep over the array checks every time limit, so that a connection needs no timer of
/// its own and a message restarts none.
final class ConnectionTable {
  /// How long a frame that nobody waits for stays where nothing else is sent.
  static let lazyMilliseconds: UInt64 = 4
  /// How long it stays on a connection that gets pushes, so as to leave with the next one; and for
  /// how long a push lets expect another.
  ///
  /// Replies to live data are such frames, and a client's window of unreliable data opens with
  /// them. A host that fills the window 20 times a second has 50 ms for the way there and back, of
  /// which this leaves 38. Where there is a flood, pushes come far more often than that.
  static let pushedLazyMilliseconds: UInt64 = 12
  static let sweepMillisecondsMax: UInt64 = 1_000
  static let sweepMillisecondsMin: UInt64 = 10
  /// Connections that a sweep closes in one turn: each takes up to 30 µs, and whoever has opened
  /// thousands at once may have all of them end at once.
  static let closesPerTurnMax = 32

  /// Clients that one turn reads of those that send as much as they can. Each costs some 0.1 ms
  /// with its answers: a thousand of them must not make a turn one of 100 ms for all others.
  static let readsPerTurnMax = 2

  private(set) var all: [Connection] = []
  var traffic = TrafficCounts()
  private var flushList = TurnList<Connection>()
  /// Connections that are to be read without an event.
  private var readList = TurnList<Connection>()
  /// Connections that have read all that an event may, in the order of their turns.
  private var spentList = WaitingQueue<Connection>()
  /// Connections with frames that nobody waits for.
  private var lazyList = TurnList<Connection>()
  /// Closed connections whose delegates and owners have not been told yet.
  private var closedList = TurnList<Connection>()
  /// Connections with pushes that gather, and since when.
  private var gathering = TurnList<(connection: Connection, since: UInt64)>()
  private var pace = FlushPace()
  /// Connections whose pushes leave at the end of this turn.
  private var pushCount = 0
  var handshakes = HandshakeQueue()
  private var sweepMilliseconds = ConnectionTable.sweepMillisecondsMax
  private var sweepTimer: LoopTimer?
  /// Connections before this place have not been looked at by the sweep that is under way.
  private var sweepEnd = 0
  unowned var loop: Loop!

  func add(_ connection: Connection) {
    connection.tableIndex = all.count
    all.append(connection)
    let limits = connection.limits
    let shortest =
      [
        limits.handshakeMilliseconds, limits.idleMilliseconds, limits.partialFrameMilliseconds,
      ].filter { $0 > 0 }.min() ?? Self.sweepMillisecondsMax
    expectSweep(within: shortest)
  }

  /// Makes sweeps so frequent that a limit of `milliseconds` is overrun by a quarter of it at most.
  func expectSweep(within milliseconds: UInt64) {
    let wanted = min(max(milliseconds / 4, Self.sweepMillisecondsMin), Self.sweepMillisecondsMax)
    if sweepTimer != nil && wanted >= sweepMilliseconds { return }
    sweepTimer?.cancel()
    sweepMilliseconds = min(wanted, sweepMilliseconds)
    sweepTimer = loop.every(sweepMilliseconds) { [unowned self] in sweep() }
  }

  func flushLater(_ connection: Connection) {
    if connection.isInFlushList { return }
    connection.isInFlushList = true
    flushList.append(connection)
    loop.hurry()
  }

  func flushSoon(_ connection: Connection) {
    if connection.isInLazyList { return }
    connection.isInLazyList = true
    if lazyList.isEmpty { flushLazyLater(Self.lazyMilliseconds) }
    lazyList.append(connection)
  }

  private func flushLazyLater(_ milliseconds: UInt64) {
    loop.after(milliseconds) { [unowned self] in
      if let wait = flushLazy(now: loop.monotonicMilliseconds) { flushLazyLater(wait) }
    }
  }

  /// Flushes connections whose frames have waited for long enough. Returns after how long to do so
  /// again: when the next ones have, or those may have that are queued meanwhile.
  func flushLazy(now: UInt64) -> UInt64? {
    let connections = lazyList.take()
    var next = now + Self.lazyMilliseconds
    for connection in connections {
      // Where pushes gather, it leaves with them.
      if connection.isLazy && !connection.isGathering && connection.state == .open {
        guard connection.lazyEnd <= now else {
          lazyList.append(connection)
          next = min(next, connection.lazyEnd)
          continue
        }
        connection.flush()
      }
      connection.isInLazyList = false
    }
    lazyList.giveBack(connections)
    return lazyList.isEmpty ? nil : next - now
  }

  /// Whether a push leaves at the end of this turn. Otherwise its connection waits for others.
  func takePush(of connection: Connection) -> Bool {
    if connection.isGathering { return false }
    let now = loop.monotonicMilliseconds
    if gathering.isEmpty && pace.take(among: pushCount, now: now) {
      pushCount += 1
      return true
    }
    connection.isGathering = true
    if gathering.isEmpty { flushGatheredLater() }
    gathering.append((connection, now))
    return false
  }

  private func flushGatheredLater() {
    loop.after(1) { [unowned self] in flushGathered(now: loop.monotonicMilliseconds) }
  }

  /// Flushes connections whose pushes have gathered, those that have waited for longest first.
  func flushGathered(now: UInt64) {
    look()
    let waiting = gathering.take()
    var flushedCount = 0
    for (connection, since) in waiting {
      if connection.isLazy && connection.state == .open {
        guard pace.takes(waitingSince: since, among: flushedCount, now: now) else {
          gathering.append((connection, since))
          continue
        }
        flushedCount += 1
        connection.flush()
      }
      connection.isGathering = false
    }
    gathering.giveBack(waiting)
    if !gathering.isEmpty { flushGatheredLater() }
  }

  private func look() {
    pace.look(idle: loop.idleMicroseconds, now: loop.monotonicMicroseconds)
  }

  func readLater(_ connection: Connection) {
    if connection.isInReadList { return }
    connection.isInReadList = true
    readList.append(connection)
    loop.hurry()
  }

  func readInTurn(_ connection: Connection) {
    if connection.isInSpentList { return }
    connection.isInSpentList = true
    spentList.append(connection)
    loop.hurry()
  }

  /// Takes a closed connection out of the table. The last one moves to its place.
  func closed(_ connection: Connection) {
    let index = connection.tableIndex
    let last = all.removeLast()
    if last !== connection {
      all[index] = last
      last.tableIndex = index
    }
    connection.tableIndex = -1
    closedList.append(connection)
    loop.hurry()
  }

  func closeAll(_ reason: CloseReason) {
    for connection in all { connection.close(reason) }
  }

  func stepLater(_ connection: Connection) {
    if connection.isInHandshakeQueue { return }
    connection.isInHandshakeQueue = true
    connection.queuedAt = loop.monotonicMilliseconds
    // Turns in which nobody waited count no more than the last one may.
    if handshakes.hasNobody {
      handshakes.look(now: loop.monotonicMicroseconds, idle: loop.idleMicroseconds)
    }
    handshakes.append(connection)
    loop.hurry()
  }

  /// Takes steps of the handshakes that wait, as many as leave all else its share of the loop.
  private func stepHandshakes() {
    if handshakes.hasNobody { return }
    var now = loop.monotonicMicroseconds
    handshakes.look(now: now, idle: loop.idleMicroseconds)
    for _ in 0..<HandshakePace.stepsPerTurnMax where handshakes.pace.mayStep {
      guard let connection = handshakes.takeFirst() else { break }
      // The peer has not been slow meanwhile.
      connection.activeAt += loop.monotonicMilliseconds - connection.queuedAt
      connection.stepHandshake()
      let end = loop.monotonicMicroseconds
      handshakes.pace.stepTook(end - now)
      now = end
    }
    handshakes.lookedAt = now
    tellHeldUp()
  }

  /// Reads a few of those that send as much as they can. One that waits for something else by now
  /// comes back when that is over.
  private func readSpent() {
    var left = Self.readsPerTurnMax
    while left > 0, let connection = spentList.removeFirst() {
      connection.isInSpentList = false
      if connection.state != .open || connection.isPaused { continue }
      left -= 1
      connection.event(readable: true, writable: false)
    }
  }

  private func tellHeldUp() {
    if let connection = handshakes.heldUp { connection.owner?.handshakesAreHeldUp() }
  }

  /// Reads, goes on with handshakes, flushes and reports closed connections, as the lists of this
  /// turn say. Returns whether something is left in them for the next turn.
  func endTurn() -> Bool {
    pushCount = 0
    if !readList.isEmpty {
      let connections = readList.take()
      for connection in connections {
        connection.isInReadList = false
        connection.event(readable: !connection.isPaused, writable: false)
      }
      readList.giveBack(connections)
    }
    readSpent()
    stepHandshakes()
    if !flushList.isEmpty {
      let connections = flushList.take()
      for connection in connections {
        connection.isInFlushList = false
        if connection.state == .open || connection.state == .finishing { connection.flush() }
      }
      flushList.giveBack(connections)
    }
    if !closedList.isEmpty {
      let connections = closedList.take()
      for connection in connections { connection.tellClosed() }
      closedList.giveBack(connections)
    }
    return
      !(readList.isEmpty && spentList.isEmpty && handshakes.isEmpty && flushList.isEmpty
      && closedList.isEmpty)
  }

  private func sweep() {
    // One that is still under way goes on, so that it comes to an end.
    if sweepEnd > 0 { return }
    sweepEnd = all.count
    sweepSome()
    if all.isEmpty {
      sweepTimer?.cancel()
      sweepTimer = nil
      sweepMilliseconds = Self.sweepMillisecondsMax
    }
  }

  /// Goes on with a sweep, from its end, because closing moves the last connection to the place of
  /// the closed one. A turn takes a part of it, so that others have their turns.
  private func sweepSome() {
    let now = loop.monotonicMilliseconds
    let countMin = all.count - Self.closesPerTurnMax
    sweepEnd = min(sweepEnd, all.count)
    while sweepEnd > 0 && all.count > countMin {
      sweepEnd -= 1
      all[sweepEnd].checkTime(now)
      sweepEnd = min(sweepEnd, all.count)
    }
    if sweepEnd > 0 { loop.after(1) { [unowned self] in sweepSome() } }
  }
}

extension Connection {
  /// When a handshake is to have ended. Where many are under way, the peer is given less time for
  /// what it has to say next: twice as long after this side's answer as for its first words, since
  /// it has a certificate to verify. A wait for a step of this side is no fault of the peer's.
  private var handshakeEnd: UInt64 {
    let end = startedAt + limits.handshakeMilliseconds
    if isInHandshakeQueue || owner?.isCrowded != true { return end }
    return min(end, activeAt + limits.silentMilliseconds * (isSilent ? 1 : 2))
  }

  /// Closes the connection if one of its time limits has passed.
  func checkTime(_ now: UInt64) {
    if wasReady && socket.releaseIdleBuffers() { receiver?.connectionRests(self) }
    switch state {
    case .handshaking:
      if now >= handshakeEnd { close(.handshakeTimeout) }
    case .open:
      if limits.idleMilliseconds > 0 && now >= activeAt + limits.idleMilliseconds { close(.idle) }
      // One that waits for its turn to be read is not slow.
      if !incoming.isEmpty && !isPaused && !hasSpentReading
        && now >= partialSince + limits.partialFrameMilliseconds
      {
        close(.partialFrame)
      }
    case .finishing, .lingering:
      if now >= startedAt + limits.finishMilliseconds { close(closeReason) }
    case .closed: break
    }
  }
}
