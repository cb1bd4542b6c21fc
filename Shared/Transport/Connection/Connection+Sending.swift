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

  @unsafe
  private func enqueue(
    _ header: FrameHeader, _ prefix: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
  ) {
    if state != .open { return }
    let bodyCount = prefix.count + body.count
    let size = WireLimits.frameHeaderSize + bodyCount
    if size > WireLimits.frameSizeMax {
      refuseToSend(header, size)
      return
    }
    sentFrameCount += 1
    let frame = unsafe outgoing.extend(size)
    unsafe header.write(to: frame, bodyCount: bodyCount)
    if let target = unsafe frame.baseAddress.map({ unsafe $0 + WireLimits.frameHeaderSize }) {
      if let bytes = prefix.baseAddress {
        unsafe target.copyMemory(from: bytes, byteCount: prefix.count)
      }
      if let bytes = body.baseAddress {
        unsafe (target + prefix.count).copyMemory(from: bytes, byteCount: body.count)
      }
    }
    if outgoing.count > limits.outgoingHighWater { relieve() }
    if !isInEvent && !isInFlushList { loop.connections.flushLater(self) }
  }

  /// Writes what the socket takes now, and gives the peer up if too much is left.
  private func relieve() {
    flush()
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
  /// much is left.
  func flush() {
    while !outgoing.isEmpty {
      switch unsafe socket.write(outgoing.readable) {
      case .bytes(let count):
        outgoing.consume(count)
        // Reading is paused, so the peer's frames cannot show that it is alive; that it takes bytes
        // does.
        if isPausedByPressure { activeAt = loop.monotonicMilliseconds }
        continue
      case .wouldBlock: break
      case .failed(let reason):
        close(reason)
        return
      }
      break
    }
    outgoing.trim()
    if state == .finishing && outgoing.isEmpty {
      state = .lingering
      socket.endWriting()
    }
    updatePressure()
    updateInterest()
  }

  private func updatePressure() {
    if isPausedByPressure {
      if outgoing.count <= limits.outgoingLowWater {
        isPausedByPressure = false
        becomeReadable()
      }
    } else if yieldsToPressure && outgoing.count > limits.outgoingHighWater {
      isPausedByPressure = true
      activeAt = loop.monotonicMilliseconds
    }
  }

  func updateInterest() {
    switch state {
    case .open:
      socket.want(read: !isPaused, write: !outgoing.isEmpty || socket.readWantsWrite)
    case .finishing: socket.want(read: true, write: true)
    case .lingering: socket.want(read: true, write: false)
    case .handshaking, .closed: break
    }
  }
}
