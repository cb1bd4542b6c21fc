/// How the bytes of one connection travel: over TLS on a system's socket (`TLSSocket`), or in
/// memory for tests (`LocalSocket`).
///
/// A connection knows only this class, so that framing, limits and backpressure are the same code
/// over both.
class ConnectionSocket {
  enum Outcome {
    case bytes(Int)
    /// Nothing can be read or written now; an event follows when it is worth another try.
    case wouldBlock
    case failed(CloseReason)
  }

  enum Handshake {
    case done(peerName: String?)
    case underWay
    case failed(CloseReason)
  }

  /// Whether a read waits for room to write, as for TLS key updates. An event that the socket is
  /// writable then means that it is worth reading too.
  var readWantsWrite = false

  /// Lets the steps of the handshake and the reads that follow take so many bytes off the system's
  /// socket. Called at the start of an event; what is left is for a later one.
  func beginReading(bytesMax: Int) {}
  /// Whether the reads since then have taken as much as they may: more may be left.
  var hasSpentReading: Bool { false }
  /// Whether a step of the handshake waits for its turn among others. That of a connection which
  /// this process makes does not: no stranger decides how many there are.
  var handshakeWaits: Bool { false }
  /// Takes one step of the handshake.
  func handshake() -> Handshake { .done(peerName: nil) }
  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome { .wouldBlock }
  @unsafe func write(_ buffer: UnsafeRawBufferPointer) -> Outcome { .wouldBlock }
  /// Returns how many bytes were taken off the system's socket since the last call.
  func takeReadCount() -> Int { 0 }
  /// How many bytes were ever written. In a handshake a server writes when it has all of the first
  /// message of its client; again, where it asked for another first message, when it has that.
  var writtenCount: UInt64 { 0 }
  /// Whether bytes were taken off the system's socket that `read` has not returned yet. Polling
  /// does not announce them.
  var hasHiddenBytes: Bool { false }
  /// Says which events the connection wants to hear of. Saying the same again costs nothing.
  func want(read: Bool, write: Bool) {}
  /// Gives buffers back if no byte has passed since the last call. Returns true when it is the
  /// first call since then: the connection has begun to rest.
  func releaseIdleBuffers() -> Bool { false }
  /// Hears that what was queued is written, or as much of it as the system takes.
  func didFlush() {}
  /// Tells the peer that no more bytes come; reading goes on.
  func endWriting() {}
  func close() {}
}
