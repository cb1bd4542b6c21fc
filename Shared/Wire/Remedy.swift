/// What a client does about a refused call.
public enum Remedy: String, CaseIterable, Sendable {
  /// Pause for `retryAfterMilliseconds`, or for 50 ms and twice as long each time where that is 0;
  /// then send the same call again, with the same key and the same bytes.
  case repeatCall
  /// As `repeatCall`, but only once `retryAfterMilliseconds` has passed; where that is 0, nobody
  /// knows when, and the player may be asked.
  case wait
  /// Send the same call again, with the same counter and bytes and a higher floor.
  case raiseFloor
  /// `SignIn` with the device's secret. Give up when that is refused in the same way.
  case signIn
  /// The state is not what the call was made for: read it, and decide anew, with a new key.
  case readAgain
  /// The call is wrong as it is. Another one may be right, with a new key.
  case changeCall
  /// No server sends it. Client libraries answer their callers with it.
  case local
  /// It passes only between Muster's own processes. No client gets it.
  case between
}

extension FailureCode {
  /// What a client does about it; nothing but to give up for a code of a newer server.
  public var remedy: Remedy { knownRemedy ?? .changeCall }

  /// Nil for a code that no build of this age sends.
  package var knownRemedy: Remedy? {
    switch self {
    case .unavailable, .deadlineExceeded, .rateLimited, .backpressure, .storageFull: .repeatCall
    case .notOpen, .banned: .wait
    case .floorTooLow: .raiseFloor
    case .notAuthenticated, .invalidCredential, .sessionExpired: .signIn
    case .staleKey, .conflict, .matchEnded, .cursorLost: .readAgain
    case .unknownOperation, .malformed, .notAllowed, .keyReused, .requiredArgument,
      .invalidArgument, .notFound, .notReachable, .limitReached, .alreadyExists:
      .changeCall
    case .sameContext, .pendingRequest, .disconnected, .cancelled: .local
    case .wrongPartition, .outOfOrder, .factRequired: .between
    default: nil
    }
  }

  /// Whether the same call, unchanged, may succeed later.
  public var isTransient: Bool {
    switch self {
    case .wrongPartition, .disconnected, .outOfOrder: true
    default: remedy == .repeatCall
    }
  }
}
