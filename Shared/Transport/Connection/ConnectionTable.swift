/// All connections of a loop in dense slots, and the lists of those that need something at the end
/// of the turn.
///
/// One coarse sweep looks after every time limit, so that a connection costs no timer of its own and
/// a message restarts none.
final class ConnectionTable {
  /// A handshake costs about 0.8 ms of processor; four keep a turn below 4 ms for everybody else.
  static let handshakesPerTurnMax = 4
  static let sweepMillisecondsMax: UInt64 = 1_000
  static let sweepMillisecondsMin: UInt64 = 10

  private(set) var all: [Connection] = []
  private var toFlush: [Connection] = []
  private var toRead: [Connection] = []
  private var gone: [Connection] = []
  private var handshakes = 0
  private var sweepMilliseconds = ConnectionTable.sweepMillisecondsMax
  private var sweepTimer: LoopTimer?
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

  /// Makes sweeps frequent enough for a limit of `milliseconds` to be kept within a quarter of it.
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
    toFlush.append(connection)
    loop.hurry()
  }

  func readLater(_ connection: Connection) {
    if connection.isInReadList { return }
    connection.isInReadList = true
    toRead.append(connection)
    loop.hurry()
  }

  func closed(_ connection: Connection) {
    let index = connection.tableIndex
    let last = all.removeLast()
    if last !== connection {
      all[index] = last
      last.tableIndex = index
    }
    connection.tableIndex = -1
    gone.append(connection)
    loop.hurry()
  }

  func closeAll(_ reason: CloseReason) {
    for connection in all { connection.close(reason) }
  }

  /// Whether a step of a handshake may be taken in this turn.
  func takeHandshakeStep() -> Bool {
    handshakes += 1
    return handshakes <= Self.handshakesPerTurnMax
  }

  /// Reads, flushes and tells what the turn has left; says whether that left something in its turn.
  func endTurn() -> Bool {
    handshakes = 0
    if !toRead.isEmpty {
      let connections = toRead
      toRead.removeAll(keepingCapacity: true)
      for connection in connections {
        connection.isInReadList = false
        connection.event(readable: !connection.isPaused, writable: false)
      }
    }
    if !toFlush.isEmpty {
      let connections = toFlush
      toFlush.removeAll(keepingCapacity: true)
      for connection in connections {
        connection.isInFlushList = false
        if connection.state == .open || connection.state == .finishing { connection.flush() }
      }
    }
    if !gone.isEmpty {
      let connections = gone
      gone.removeAll(keepingCapacity: true)
      for connection in connections { connection.tellClosed() }
    }
    return !(toRead.isEmpty && toFlush.isEmpty && gone.isEmpty)
  }

  private func sweep() {
    let now = loop.monotonicMilliseconds
    // Downwards, because closing moves the last connection into the free slot.
    for index in stride(from: all.count - 1, through: 0, by: -1) where index < all.count {
      all[index].checkTime(now)
    }
    if all.isEmpty {
      sweepTimer?.cancel()
      sweepTimer = nil
      sweepMilliseconds = Self.sweepMillisecondsMax
    }
  }
}

extension Connection {
  func checkTime(_ now: UInt64) {
    if wasReady { channel.releaseIdleBuffers() }
    switch state {
    case .handshaking:
      if now >= startedAt + limits.handshakeMilliseconds { close(.handshakeTimeout) }
    case .open:
      if isPausedByOwner { return }
      if limits.idleMilliseconds > 0 && now >= activeAt + limits.idleMilliseconds { close(.idle) }
      if !incoming.isEmpty && !isPausedByPressure
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
