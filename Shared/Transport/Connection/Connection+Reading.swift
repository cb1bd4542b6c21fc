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

  var isPaused: Bool { isPausedByOwner || isPausedByPressure || delegate == nil }

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
    guard var receiver = delegate else { return }
    delegateChanged = false
    if !incoming.isEmpty && !parseIncoming(&receiver) { return }
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
          let used = unsafe parse(bytes, &receiver)
          if used < count && state == .open {
            unsafe incoming.append(
              UnsafeRawBufferPointer(rebasing: bytes[used...]), loop.buffers)
            partialSince = loop.monotonicMilliseconds
          }
        } else {
          unsafe incoming.append(bytes, loop.buffers)
          if !parseIncoming(&receiver) { return }
        }
      }
      if !channel.hasHiddenBytes { return }
    }
  }

  /// Parses what waits from earlier; says whether the connection is still to be read.
  private func parseIncoming(_ receiver: inout any ConnectionDelegate) -> Bool {
    // The queue is not changed while its bytes are lent out: only reading touches it.
    let used = unsafe parse(incoming.readable, &receiver)
    if state == .closed { return false }
    if used > 0 {
      incoming.consume(used)
      incoming.trim(loop.buffers)
      partialSince = loop.monotonicMilliseconds
    }
    return state == .open && !isPaused
  }

  /// Hands out the whole frames at the front of `bytes` and returns how many bytes they took.
  @unsafe
  private func parse(_ bytes: UnsafeRawBufferPointer, _ receiver: inout any ConnectionDelegate)
    -> Int
  {
    var offset = 0
    while state == .open && !isPaused {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
      switch unsafe FrameHeader.parse(rest, sizeMax: limits.frameSizeMax) {
      case .incomplete: return offset
      case .broken(let error):
        refuseBytes(error)
        return offset
      case .frame(let header, let bodyCount):
        let start = WireLimits.frameHeaderSize
        let body = unsafe UnsafeRawBufferPointer(rebasing: rest[start..<start + bodyCount])
        offset += start + bodyCount
        hasReceivedFrame = true
        activeAt = loop.monotonicMilliseconds
        if header.kind == .ping {
          if header.correlation != 0 {
            send(FrameHeader(kind: .ping, opcode: 0, correlation: 0), body: [])
          }
          continue
        }
        receiver.connection(self, received: header, body: unsafe body.bytes)
        if delegateChanged {
          delegateChanged = false
          guard let next = delegate else { return offset }
          receiver = next
        }
      }
    }
    return offset
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
