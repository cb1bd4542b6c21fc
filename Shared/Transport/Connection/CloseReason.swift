public import Wire

/// Why a connection has ended. The texts are for logs.
public enum CloseReason: Error, Equatable, Sendable {
  /// The peer closed the connection in good order.
  case endOfStream
  /// The peer or the network broke the connection; the text is the system's or the TLS library's.
  case reset(String)
  /// The handshake failed: no TLS 1.3, a certificate that is not trusted, no common protocol, ...
  case handshake(String)
  case handshakeTimeout
  /// The peer sent nothing for longer than the limits allow.
  case idle
  /// The peer began a frame and did not end it in time.
  case partialFrame
  /// The peer does not read what is sent to it.
  case slowReader
  /// All connections together hold too much of what their peers do not take, and this one is among
  /// those that hold the most.
  case crowdedOut
  /// The peer changes the keys of its connection far more often than it has reason to.
  case tooManyKeyUpdates
  /// The peer's bytes are not a frame of this protocol.
  case protocolError(WireError)
  /// This process stops; what was queued was sent before.
  case drained
  /// This side refused the connection: too many are open, the peer is not allowed, ...
  case refused(String)
  /// The peer's host has, or has made, as many connections as it may.
  case hostLimit(String)
  /// The connection's owner closed it.
  case local(String)
  /// The connection could not be made: no such host, nobody listens there, ...
  case connect(String)

  /// One line for logs.
  public var text: String {
    switch self {
    case .endOfStream: "closed by the peer"
    case .reset(let why): "connection broken: \(why)"
    case .handshake(let why): "handshake failed: \(why)"
    case .handshakeTimeout: "handshake not finished in time"
    case .idle: "idle for too long"
    case .partialFrame: "a frame was not finished in time"
    case .slowReader: "the peer does not read what is sent to it"
    case .crowdedOut: "all connections hold too much together, and this one most"
    case .tooManyKeyUpdates: "the peer changes its keys again and again"
    case .protocolError(let error): "not the protocol: \(error)"
    case .drained: "closed because this process stops"
    case .refused(let why), .hostLimit(let why): "refused: \(why)"
    case .local(let why): "closed: \(why)"
    case .connect(let why): "cannot connect: \(why)"
    }
  }
}

extension CloseReason: CustomStringConvertible {
  public var description: String { text }
}
