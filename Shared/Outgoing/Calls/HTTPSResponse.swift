/// What a server answered, whatever its status.
public struct HTTPSResponse: Sendable, Equatable {
  /// 200 to 599. Redirects are not followed: a status of 3xx is an answer like any other.
  public var status: Int
  public var body: [UInt8]
  /// For how many seconds the answer stays fresh: `max-age` of `Cache-Control` less the `Age` that
  /// it had on the way; 0 where the server forbids keeping it, nil where it says nothing.
  public var freshSeconds: Int?
  /// In how many seconds the server wants the next call (`Retry-After`, which may be a date); nil
  /// where it says nothing, or a time that has passed.
  public var retryAfterSeconds: Int?

  public init(
    status: Int, body: [UInt8] = [], freshSeconds: Int? = nil, retryAfterSeconds: Int? = nil
  ) {
    self.status = status
    self.body = body
    self.freshSeconds = freshSeconds
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// Whether the status is one of 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why there is no answer. The texts are for the log; they name hosts and never paths or queries.
///
/// But for `busy`, the server may have got the request, and may even have acted on it: also where
/// the client was stopped.
public enum HTTPSError: Error, Equatable, Sendable {
  /// As many calls are under way and waiting as the settings allow. Nothing was sent.
  case busy
  /// The connection or the whole call took longer than the settings allow.
  case timedOut
  /// The host's name is unknown, or nobody accepts the connection.
  case unreachable(String)
  /// There was no handshake, or the server's certificate is not one to be trusted for this host.
  case tls(String)
  /// The connection ended in the middle of the call, or what came is not HTTP.
  case broken(String)
  /// The answer is larger than it may be; the rest of it was not read.
  case tooLarge
  /// The client was stopped.
  case stopped

  /// A word for logs and for a metric's label.
  public var name: String {
    switch self {
    case .busy: "busy"
    case .timedOut: "timed-out"
    case .unreachable: "unreachable"
    case .tls: "tls"
    case .broken: "broken"
    case .tooLarge: "too-large"
    case .stopped: "stopped"
    }
  }
}
