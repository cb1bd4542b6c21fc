public import Wire

extension Connection {
  /// Queues a frame. It leaves with all others at the end of this connection's event or of the
  /// turn.
  ///
  /// On a connection that is not open this does nothing. Past `outgoingBytesMax` queued bytes the
  /// connection closes as `.slowReader`. A reply that is larger than a frame is sent as a
  /// `limitReached` failure.
  public func send(_ header: FrameHeader, body: [UInt8]) {
    unsafe body.withUnsafeBytes { body in
      unsafe enqueue(header, UnsafeRawBufferPointer(start: nil, count: 0), body)
    }
  }

  public func send(_ header: FrameHeader, body: RawSpan) {
    unsafe body.withUnsafeBytes { body in
      unsafe enqueue(header, UnsafeRawBufferPointer(start: nil, count: 0), body)
    }
  }

  /// Queues a frame whose body is `prefix` followed by `body`: an envelope before the bytes of a
  /// body that is passed on.
  public func send(_ header: FrameHeader, prefix: [UInt8], body: RawSpan) {
    unsafe prefix.withUnsafeBytes { prefix in
      unsafe body.withUnsafeBytes { body in unsafe enqueue(header, prefix, body) }
    }
  }

  /// Queues a frame that nobody waits for. It leaves with the next one that somebody does, or a
  /// little later (see `lazyEnd`): so it costs the peer no wake-up of its own.
  public func sendLazily(_ header: FrameHeader, body: RawSpan) {
    if appendLazily(header, body) { loop.connections.flushSoon(self) }
  }

  /// Queues a push. It leaves at the end of the turn or, while this loop has many, a few
  /// milliseconds later together with what comes meanwhile; see `FlushPace`.
  ///
  /// - Parameter key: of live data, as in `send(_:prefix:body:replacing:)`, whose result this has.
  @discardableResult
  public func push(_ header: FrameHeader, body: RawSpan, replacing key: UInt64?) -> Int {
    pushedAt = loop.monotonicMilliseconds
    if let key, isBehind || outgoing.count > Self.liveBytesMax {
      return send(header, prefix: [], body: body, replacing: key)
    }
    let isFirst =
      key == nil
      ? appendLazily(header, body)
      : appendLive(body.byteCount) { appendLazily(header, body) }
    if isFirst, loop.connections.takePush(of: self) {
      isLazy = false
      if !isInEvent && !isInFlushList { loop.connections.flushLater(self) }
    }
    return 0
  }

  /// When the frames that nobody waits for have waited for long enough: a little while, and as long
  /// as another push is to be expected.
  var lazyEnd: UInt64 {
    max(
      lazySince + ConnectionTable.lazyMilliseconds,
      min(lazySince, pushedAt) + ConnectionTable.pushedLazyMilliseconds)
  }

  /// Counts a frame of live data that `append` queues, before it may be written.
  private func appendLive<Result>(_ bodyCount: Int, _ append: () -> Result) -> Result {
    liveBytes += WireLimits.frameHeaderSize + bodyCount
    defer { liveBytes = min(liveBytes, outgoing.count) }
    return append()
  }

  /// Queues a frame without asking for a flush. Returns true when nothing else has asked for one.
  private func appendLazily(_ header: FrameHeader, _ body: RawSpan) -> Bool {
    let mayWait = isLazy || outgoing.isEmpty
    unsafe body.withUnsafeBytes { body in
      unsafe append(header, UnsafeRawBufferPointer(start: nil, count: 0), body)
    }
    guard mayWait && state == .open && !outgoing.isEmpty else { return false }
    if !isLazy { lazySince = loop.monotonicMilliseconds }
    isLazy = true
    return true
  }

  /// Queues a frame of live data, whose body is `prefix` followed by `body`.
  ///
  /// While the peer keeps up, it leaves with all others. When the socket takes no more, it waits
  /// beside them, and a newer one with the same `key` takes its place; it is sent when all others
  /// are. So it neither delays them nor counts against what closes the connection. Only where the
  /// others never end, it gets a fifth of what the socket takes, as long as few of them wait.
  ///
  /// Returns how many frames of live data were lost by that: see `NewestQueue`.
  ///
  /// - Parameter stream: several keys, of which only a few frames wait; nil for a key by itself.
  @discardableResult
  public func send(
    _ header: FrameHeader, prefix: [UInt8], body: RawSpan, replacing key: UInt64,
    of stream: UInt64? = nil
  ) -> Int {
    if state != .open { return 1 }
    if isBehind {
      let size = WireLimits.frameHeaderSize + prefix.count + body.byteCount
      if size > WireLimits.frameSizeMax { return 1 }
      let frame = unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
        unsafe prefix.withUnsafeBytes { prefix in
          unsafe body.withUnsafeBytes { body in
            unsafe Self.write(header, prefix, body, to: UnsafeMutableRawBufferPointer(room))
          }
        }
        count = size
      }
      defer { countNewest() }
      return newest.put(frame, key: key, of: stream, limits.newest)
    }
    appendLive(prefix.count + body.byteCount) { send(header, prefix: prefix, body: body) }
    // Finds out whether the peer keeps up, before much live data is among what has to be sent.
    if outgoing.count > Self.liveBytesMax { flush() }
    return 0
  }

  /// Bytes of frames that are queued before the socket is asked whether it takes them, where some
  /// are live data; and the most that live data adds to them at a time.
  private static var liveBytesMax: Int { 16 << 10 }

  /// Bytes of others that are queued at most when live data has its turn: what one sender of
  /// reliable data may have under way in a match, and no more.
  private static var liveTurnBytesMax: Int { 64 << 10 }

  /// Bytes that the socket takes from one turn of live data to the next, where the others never
  /// end: at least so many, and so many for each byte of live data.
  static var turnBytes: Int { 64 << 10 }
  private static var turnShare: Int { 5 }

  @unsafe
  private func enqueue(
    _ header: FrameHeader, _ prefix: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
  ) {
    if state != .open { return }
    isLazy = false
    unsafe append(header, prefix, body)
    if !isInEvent && !isInFlushList { loop.connections.flushLater(self) }
  }

  @unsafe
  private func append(
    _ header: FrameHeader, _ prefix: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
  ) {
    if state != .open { return }
    let size = WireLimits.frameHeaderSize + prefix.count + body.count
    if size > WireLimits.frameSizeMax {
      refuseToSend(header, size)
      return
    }
    sentFrameCount += 1
    unsafe Self.write(header, prefix, body, to: outgoing.extend(size))
    if outgoing.count > limits.outgoingHighWater { relieve() }
  }

  @unsafe
  private static func write(
    _ header: FrameHeader, _ prefix: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer,
    to frame: UnsafeMutableRawBufferPointer
  ) {
    unsafe header.write(to: frame, bodyCount: prefix.count + body.count)
    guard let start = frame.baseAddress else { return }
    let target = unsafe start + WireLimits.frameHeaderSize
    if let bytes = prefix.baseAddress {
      unsafe target.copyMemory(from: bytes, byteCount: prefix.count)
    }
    if let bytes = body.baseAddress {
      unsafe (target + prefix.count).copyMemory(from: bytes, byteCount: body.count)
    }
  }

  /// Writes what the socket takes now, and gives the peer up if too much is left.
  private func relieve() {
    // Polling tells when a peer that is behind takes something.
    if !(isBehind && isPausedByPressure) { flush() }
    if outgoing.count > limits.outgoingBytesMax { close(.slowReader) }
  }

  /// Refuses a frame that no peer takes. For a reply, the caller gets a failure in its place.
  /// Anything else has nobody waiting who could be told, so the connection closes.
  private func refuseToSend(_ header: FrameHeader, _ size: Int) {
    if header.kind == .reply {
      let failure = Failure(.limitReached, "the reply has \(size) bytes, more than a frame holds")
      send(
        FrameHeader(kind: .error, opcode: header.opcode, correlation: header.correlation),
        body: failure.encoded)
    } else {
      close(.local("a frame of \(size) bytes is over the limit"))
    }
  }

  /// Writes until everything is out or the socket is full, and pauses or resumes reading by how
  /// much is left. Live data that has waited comes last.
  func flush() {
    isLazy = false
    repeat {
      guard writeOutgoing() else { return }
      isBehind = !outgoing.isEmpty
    } while takeNewest()
    outgoing.trim()
    socket.didFlush()
    if state == .finishing && outgoing.isEmpty {
      state = .lingering
      socket.endWriting()
    }
    updatePressure()
    updateInterest()
  }

  /// Writes what the socket takes of `outgoing`. Returns false when the connection has failed.
  private func writeOutgoing() -> Bool {
    while !outgoing.isEmpty {
      switch unsafe socket.write(outgoing.readable) {
      case .bytes(let count):
        outgoing.consume(count)
        liveBytes = min(liveBytes, outgoing.count)
        loop.connections.traffic.sentBytes += UInt64(count)
        if !newest.isEmpty { bytesToTurn -= min(count, bytesToTurn) }
        // Reading is paused, so the peer's frames cannot show that it is alive; that it takes bytes
        // does.
        if isPausedByPressure { activeAt = loop.monotonicMilliseconds }
      case .wouldBlock: return true
      case .failed(let reason):
        close(reason)
        return false
      }
    }
    return true
  }

  /// Moves some of the live data that has waited to `outgoing`, if it is its turn. Returns whether
  /// the socket may take it now.
  private func takeNewest() -> Bool {
    if newest.isEmpty { return false }
    // It must not be why the connection closes.
    let isTurn = bytesToTurn == 0 && outgoing.count <= Self.liveTurnBytesMax
    guard !isBehind || isTurn else { return false }
    let start = outgoing.count
    while outgoing.count < start + Self.liveBytesMax, let frame = newest.takeFirst() {
      sentFrameCount += 1
      unsafe frame.withUnsafeBytes { unsafe outgoing.append($0) }
    }
    liveBytes += outgoing.count - start
    countNewest()
    // One frame alone may be several times as large as a turn is meant to be.
    bytesToTurn = max(Self.turnBytes, (outgoing.count - start) * Self.turnShare)
    return !isBehind
  }

  private func updatePressure() {
    // Live data is not why nothing is read from a peer.
    let count = outgoing.count - liveBytes
    if isPausedByPressure {
      if count <= limits.outgoingLowWater {
        isPausedByPressure = false
        becomeReadable()
      }
    } else if yieldsToPressure && count > limits.outgoingHighWater {
      isPausedByPressure = true
      activeAt = loop.monotonicMilliseconds
    }
  }

  func updateInterest() {
    switch state {
    case .open:
      socket.want(
        read: !isPaused && !hasSpentReading,
        write: !outgoing.isEmpty && !isLazy || socket.readWantsWrite)
    case .finishing: socket.want(read: true, write: true)
    case .lingering: socket.want(read: true, write: false)
    case .handshaking, .closed: break
    }
  }
}
