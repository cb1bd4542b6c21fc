/// Where a client finds its server, whose certificate it trusts, and how long it waits.
public struct MusterConfiguration: Sendable {
  /// Who may vouch for the server's certificate.
  public enum Trust: Sendable, Equatable {
    /// The authorities that the operating system trusts.
    case system
    /// Only the authority in this PEM file.
    case authority(String)
  }

  public var host: String
  public var port: UInt16
  /// The game that sessions are for.
  public var game: String
  public var trust: Trust
  /// The name in the server's certificate; nil when it is `host`.
  public var serverName: String?
  /// How long a call may take, with the wait for a connection and all repetitions.
  public var callDeadline: Duration
  public var retry: RetryPolicy
  public var acknowledgement: AcknowledgementPolicy

  public init(
    host: String, port: UInt16 = 7400, game: String, trust: Trust = .system,
    serverName: String? = nil, callDeadline: Duration = .seconds(10),
    retry: RetryPolicy = RetryPolicy(), acknowledgement: AcknowledgementPolicy = .automatic
  ) {
    self.host = host
    self.port = port
    self.game = game
    self.trust = trust
    self.serverName = serverName
    self.callDeadline = callDeadline
    self.retry = retry
    self.acknowledgement = acknowledgement
  }
}

/// How a call that did not succeed is tried again. A repetition always carries the same idempotency
/// key, so it has the effect of one call.
public struct RetryPolicy: Sendable, Equatable {
  /// Whether a call that the server refuses for a time (a used-up budget, a full queue, a full
  /// disk) waits and is tried again within its deadline. If not, the refusal is thrown at once.
  public var waitsForBudget = true
  /// The delay before the first repetition of a call whose outcome is unknown. It doubles with each
  /// further one, up to `delayMax`.
  public var delayMin: Duration = .milliseconds(50)
  public var delayMax: Duration = .seconds(2)

  public init() {}
}

/// When events are acknowledged: the server may forget an acknowledged event.
public enum AcknowledgementPolicy: Sendable, Equatable {
  /// An event is acknowledged when every consumer has asked for the event after it. So a game that
  /// dies while it handles an event gets that event again.
  case automatic
  /// Events are acknowledged only by `MusterClient.acknowledge(through:)`.
  case manual
}

extension Duration {
  /// Whole milliseconds, rounded up so that a short wait does not become 0. A negative duration is
  /// 0.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let part = UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    return UInt64(min(seconds, 1 << 40)) * 1000 + part
  }
}
