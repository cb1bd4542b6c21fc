internal import Wire

extension Connection {
  /// Nothing is taken from the peer until `resumeReading`; what was read already waits.
  public func pauseReading() {
    isPausedByOwner = true
    updateInterest()
  }

  public func resumeReading() {
    if !isPausedByOwner { return }
    isPausedByOwner = false
    becomeReadable()
  }

  var isPaused: Bool { isPausedByOwner || isPausedByPressure || !hasDelegate }

  /// Reads in this turn without an event: bytes may wait here or inside the TLS library.
  func becomeReadable() {
    if state != .open || isPaused { return }
    let now = loop.monotonicMilliseconds
    partialSince = now
    activeAt = now
    updateInterest()
    loop.connections.readLater(self)
  }

  /// Takes what is there, frame by frame.
  ///
  /// Stops when nothing is hidden from polling any more: polling is level-triggered, so what is
  /// still in the socket is announced again, and the read that would only say "nothing" is saved.
  func read() {
    if !incoming.isEmpty { takeIncoming() }
    let scratch = unsafe loop.buffers.scratch
    while state == .open && !isPaused {
      switch unsafe channel.read(into: scratch) {
      case .wouldBlock: return
      case .failed(let reason):
        close(reason)
        return
      case .bytes(let count):
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch[..<count])
        if incoming.isEmpty {
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
      if state != .open || !channel.hasHiddenBytes { return }
    }
  }

  /// Takes the frames that have become whole of what waits from earlier.
  private func takeIncoming() {
    // The queue is not changed while its bytes are lent out: only reading touches it.
    let used = unsafe take(incoming.readable)
    if used == 0 || state == .closed { return }
    incoming.consume(used)
    incoming.trim()
    partialSince = loop.monotonicMilliseconds
  }

  /// Hands out the whole frames at the front of `bytes` and returns how many bytes they took.
  @unsafe
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
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

  /// Goes on until the bytes end, the connection stops reading or another delegate takes over.
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
          answerPing(header)
        } else {
          receiver.connection(self, received: header, body: unsafe body.bytes)
        }
      }
    }
    return offset
  }

  private func answerPing(_ header: FrameHeader) {
    if header.correlation == 0 { return }
    send(FrameHeader(kind: .ping, opcode: 0, correlation: 0), body: [])
  }

  /// Framing is lost: says so to the peer, in a frame that it can read, and closes.
  private func refuseBytes(_ error: WireError) {
    let failure = Failure(.malformed, "the bytes are not a frame that is taken here: \(error)")
    send(FrameHeader(kind: .error, opcode: 0, correlation: 0), body: failure.encoded)
    finish(.protocolError(error))
  }

  /// Reads without looking, to see the peer close.
  func discard() {
    let scratch = unsafe loop.buffers.scratch
    repeat {
      switch unsafe channel.read(into: scratch) {
      case .bytes: break
      case .wouldBlock: return
      case .failed:
        close(closeReason)
        return
      }
    } while channel.hasHiddenBytes
  }
}
