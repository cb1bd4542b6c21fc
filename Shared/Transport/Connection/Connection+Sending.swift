public import Wire

extension Connection {
  /// Queues a frame; it leaves at the end of the event or of the turn, with all the others.
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

  /// The body is `prefix` followed by `body`: an envelope before bytes that pass through.
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

  /// Much is queued: gives the socket what it takes, and judges by what is left.
  private func relieve() {
    flush()
    if outgoing.count > limits.outgoingBytesMax { close(.slowReader) }
  }

  /// No peer takes such a frame. The caller of a request learns why; an event has nobody to tell.
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

  /// Writes until all is out or the socket is full, and sets the pressure by what is left.
  func flush() {
    while !outgoing.isEmpty {
      switch unsafe channel.write(outgoing.readable) {
      case .bytes(let count):
        outgoing.consume(count)
        // A peer that takes what we send is alive, though its own frames are not read.
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
      channel.endWriting()
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
      channel.want(read: !isPaused, write: !outgoing.isEmpty || channel.readWantsWrite)
    case .finishing: channel.want(read: true, write: true)
    case .lingering: channel.want(read: true, write: false)
    case .handshaking, .closed: break
    }
  }
}
