/// Where a client's server is, whom it trusts, and how patient it is.
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
  /// The name in the server's certificate, where it is not `host`.
  public var serverName: String?
  /// How long a call may take in all, with waiting for a connection and repetitions.
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

/// How a call that did not succeed is tried again. Whatever this says, a repetition carries the same
/// idempotency key, so it has the effect of one call.
public struct RetryPolicy: Sendable, Equatable {
  /// Waits, within the deadline, where the server refuses for a time: over a budget, a full queue, a
  /// full disk. Otherwise such a refusal is thrown at once.
  public var waitsForBudget = true
  /// Before the first repetition of a call whose outcome is unknown; doubles with each further one.
  public var delayMin: Duration = .milliseconds(50)
  public var delayMax: Duration = .seconds(2)

  public init() {}
}

/// When the server is told that events were dealt with, after which it may forget them.
public enum AcknowledgementPolicy: Sendable, Equatable {
  /// When every consumer has asked for the event after it: a game that dies while it handles an event
  /// gets it again.
  case automatic
  /// Only by `MusterClient.acknowledge(through:)`.
  case manual
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a short wait is not none; 0 for what is not positive.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let part = UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    return UInt64(min(seconds, 1 << 40)) * 1000 + part
  }
}
