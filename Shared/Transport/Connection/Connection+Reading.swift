internal import Wire

extension Connection {
  /// Reads in one event. Each returns one record, which costs 2 us however small it is, and the
  /// bytes of an event may be those of 700: 0.13 ms, and not 1.4.
  static let readsPerEventMax = 64

  var isPaused: Bool { isPausedByPressure || isHeldBack || !hasDelegate || hasStoppedReading }

  /// Reads nothing, and hands out no frame, for so long. What the peer sends waits in the network,
  /// and then in the peer. One that ends before another has no effect.
  public func holdBack(forMilliseconds milliseconds: UInt64) {
    if state != .open { return }
    heldUntil = max(heldUntil, loop.monotonicMilliseconds + milliseconds)
    if isHeldBack { return }
    isHeldBack = true
    updateInterest()
    releaseLater()
  }

  private func releaseLater() {
    loop.after(heldUntil - loop.monotonicMilliseconds) { [self] in
      if loop.monotonicMilliseconds < heldUntil { return releaseLater() }
      isHeldBack = false
      becomeReadable()
    }
  }

  /// Reads at the end of this turn without an event, or when it is this connection's turn, because
  /// bytes may wait in `incoming` or inside the TLS library, and polling announces neither.
  func becomeReadable() {
    if state != .open || isPaused { return }
    let now = loop.monotonicMilliseconds
    partialSince = now
    activeAt = now
    updateInterest()
    let table = loop.connections
    if hasSpentReading { table.readInTurn(self) } else { table.readLater(self) }
  }

  /// Reads frames, hands them out and answers pings.
  func read() {
    socket.beginReading(bytesMax: limits.readBytesPerEvent)
    let hasReadAll = readFrames()
    if owesPing {
      owesPing = false
      send(FrameHeader(kind: .ping, opcode: 0, correlation: 0), body: [])
    }
    let wasSpent = hasSpentReading
    hasSpentReading =
      limits.readsInTurns && state == .open && (!hasReadAll || socket.hasSpentReading)
    if hasSpentReading {
      if !isPaused { loop.connections.readInTurn(self) }
    } else if !hasReadAll {
      loop.connections.readLater(self)
    }
    if hasSpentReading != wasSpent { updateInterest() }
  }

  /// Reads and hands out frames for as long as bytes are hidden from polling, and the socket may
  /// take more. Returns false when it has stopped after some reads and must go on without an event.
  ///
  /// Else it may stop, because polling is level-triggered: what is still in the system's socket is
  /// announced again. That saves the read that would only answer "nothing".
  private func readFrames() -> Bool {
    if !incoming.isEmpty { takeIncoming() }
    let scratch = unsafe loop.buffers.scratch
    var readsLeft = Self.readsPerEventMax
    while state == .open && !isPaused {
      if readsLeft == 0 { return false }
      readsLeft -= 1
      let outcome = unsafe socket.read(into: scratch)
      let takenCount = socket.takeReadCount()
      if takenCount > 0 { receiver?.connection(self, read: takenCount) }
      switch outcome {
      case .wouldBlock: return true
      case .failed(let reason):
        close(reason)
        return true
      case .bytes(let count):
        readAt = loop.monotonicMilliseconds
        loop.connections.traffic.readBytes += UInt64(count)
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch[..<count])
        if incoming.isEmpty {
          // The usual case: whole frames are handed out of the scratch buffer without a copy.
          let used = unsafe take(bytes)
          if used < count && state == .open {
            unsafe incoming.append(UnsafeRawBufferPointer(rebasing: bytes[used...]))
            partialSince = loop.monotonicMilliseconds
          }
        } else {
          unsafe incoming.append(bytes)
          takeIncoming()
        }
      }
      if state != .open || !socket.hasHiddenBytes { return true }
    }
    return true
  }

  /// Hands out the frames in `incoming` that have become whole.
  private func takeIncoming() {
    // Only reading changes the queue, so its bytes do not move while they are lent out here.
    let used = unsafe take(incoming.readable)
    if used == 0 || state == .closed { return }
    incoming.consume(used)
    incoming.trim()
    partialSince = loop.monotonicMilliseconds
  }

  /// Hands out the whole frames at the front of `bytes` and returns how many bytes they have.
  @unsafe
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    // One round for each delegate: the handler of a frame may set another one, which then gets the
    // frames that follow.
    repeat {
      guard state == .open, !isPaused, let receiver = receiver else { break }
      delegateChanged = false
      offset = unsafe take(bytes, from: offset, for: receiver)
    } while delegateChanged
    if offset > 0 {
      hasReceivedFrame = true
      activeAt = loop.monotonicMilliseconds
    }
    return offset
  }

  /// Hands frames to `receiver`, from the offset `first` on, until the bytes end, the connection
  /// stops reading or another delegate takes over. Returns the offset behind the last frame.
  @unsafe
  private func take(
    _ bytes: UnsafeRawBufferPointer, from first: Int, for receiver: any ConnectionDelegate
  ) -> Int {
    var offset = first
    let sizeMax = limits.frameSizeMax
    while state == .open && !isPaused && !delegateChanged {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
      switch unsafe FrameHeader.parse(rest, sizeMax: sizeMax) {
      case .incomplete: return offset
      case .broken(let error):
        refuseBytes(error)
        return offset
      case .frame(let header, let bodyCount):
        let start = WireLimits.frameHeaderSize
        let body = unsafe UnsafeRawBufferPointer(rebasing: rest[start..<start + bodyCount])
        offset += start + bodyCount
        if header.kind == .ping {
          // One with correlation 0 is itself an answer.
          if header.correlation != 0 { owesPing = true }
        } else {
          receiver.connection(self, received: header, body: unsafe body.bytes)
        }
      }
    }
    return offset
  }

  /// Tells the peer that its bytes are no frame, in a frame that it can read, and closes: where the
  /// next frame begins is not known.
  private func refuseBytes(_ error: WireError) {
    let failure = Failure.framingLost(error)
    send(FrameHeader(kind: .error, opcode: 0, correlation: 0), body: failure.encoded)
    finish(.protocolError(error))
  }

  /// Reads and drops bytes, to see the peer close.
  func discard() {
    socket.beginReading(bytesMax: limits.readBytesPerEvent)
    let scratch = unsafe loop.buffers.scratch
    for _ in 0..<Self.readsPerEventMax {
      switch unsafe socket.read(into: scratch) {
      case .bytes: break
      case .wouldBlock: return
      case .failed:
        close(closeReason)
        return
      }
      if !socket.hasHiddenBytes { return }
    }
    loop.connections.readLater(self)
  }
}
