/// How bytes of one connection travel: TLS over a socket, or memory in tests.
///
/// Connections know channels only by this class, so that framing, limits and backpressure are the
/// same code over both.
class ByteChannel {
  enum Outcome {
    case bytes(Int)
    /// Nothing now; the connection hears when it is worth another try.
    case wouldBlock
    case failed(CloseReason)
  }

  enum Handshake {
    case done(peerName: String?)
    case underWay
    case failed(CloseReason)
  }

  /// A read that waits for room to write (TLS key updates): writable then means readable too.
  var readWantsWrite = false

  func handshake() -> Handshake { .done(peerName: nil) }
  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome { .wouldBlock }
  @unsafe func write(_ buffer: UnsafeRawBufferPointer) -> Outcome { .wouldBlock }
  /// Bytes that were taken off the socket already: polling will not announce them.
  var hasHiddenBytes: Bool { false }
  /// Which events to hear about; the same again costs nothing.
  func want(read: Bool, write: Bool) {}
  /// Gives back memory of which nothing was used since the last call.
  func releaseIdleBuffers() {}
  /// Tells the peer that nothing more comes, and still reads.
  func endWriting() {}
  func close() {}
}
