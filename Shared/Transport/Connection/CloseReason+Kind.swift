extension CloseReason {
  /// A reason without what only this one connection has.
  public enum Kind: String, CaseIterable, Sendable {
    case endOfStream, reset, handshake, handshakeTimeout, idle, partialFrame, slowReader
    case crowdedOut, tooManyKeyUpdates, protocolError, drained, refused, hostLimit, local, connect
  }

  public var kind: Kind {
    switch self {
    case .endOfStream: .endOfStream
    case .reset: .reset
    case .handshake: .handshake
    case .handshakeTimeout: .handshakeTimeout
    case .idle: .idle
    case .partialFrame: .partialFrame
    case .slowReader: .slowReader
    case .crowdedOut: .crowdedOut
    case .tooManyKeyUpdates: .tooManyKeyUpdates
    case .protocolError: .protocolError
    case .drained: .drained
    case .refused: .refused
    case .hostLimit: .hostLimit
    case .local: .local
    case .connect: .connect
    }
  }
}
