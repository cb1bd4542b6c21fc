public import Wire

/// Why a connection has ended.
public enum CloseReason: Error, Equatable, Sendable {
  /// The peer closed it in good order.
  case endOfStream
  /// The peer or the network broke it; the text is the system's or the TLS library's.
  case reset(String)
  /// It never opened: no TLS 1.3, a certificate that is not trusted, no common protocol, ...
  case handshake(String)
  case handshakeTimeout
  /// Nothing came for longer than the limits allow.
  case idle
  /// A frame began and did not end in time.
  case partialFrame
  /// The peer does not read what it asked for.
  case slowReader
  /// The bytes are no frames of ours.
  case protocolError(WireError)
  /// This process stops, after what was queued was sent.
  case drained
  /// Refused by us: over the number of connections, not allowed, ...
  case refused(String)
  /// The owner closed it.
  case local(String)
  /// It could not be made: no such host, nobody listens there, ...
  case connect(String)

  /// For logs: one line, no more than the log needs.
  public var text: String {
    switch self {
    case .endOfStream: "closed by the peer"
    case .reset(let why): "connection broken: \(why)"
    case .handshake(let why): "handshake failed: \(why)"
    case .handshakeTimeout: "handshake not finished in time"
    case .idle: "idle for too long"
    case .partialFrame: "a frame was not finished in time"
    case .slowReader: "the peer does not read what is sent to it"
    case .protocolError(let error): "not the protocol: \(error)"
    case .drained: "this process stops"
    case .refused(let why): "refused: \(why)"
    case .local(let why): "closed: \(why)"
    case .connect(let why): "cannot connect: \(why)"
    }
  }
}

extension CloseReason: CustomStringConvertible {
  public var description: String { text }
}
