/// What came of one attempt to push an event.
public enum PushOutcome: Sendable, Equatable {
  /// The endpoint has taken the event (a status of 2xx).
  case accepted
  /// The endpoint answers, and does not want this event now (a status of 4xx). The event is tried
  /// again later, because that may be a mistake of the endpoint's maker, who mends it; the others
  /// go on.
  case refused
  /// The endpoint has not taken the event, or nobody knows, and others would fare no better. With
  /// `retryAfterMilliseconds`, the endpoint asks for no calls at all until then.
  case failed(retryAfterMilliseconds: Int64? = nil)
  /// This process had no place for the call, or ended it in the middle: then the endpoint may have
  /// got the event. The attempt does not count, neither for the event nor against the endpoint.
  case notSent

  public init(_ result: Result<HTTPSResponse, HTTPSError>) {
    switch result {
    case .success(let response) where response.isSuccess: self = .accepted
    case .success(let response):
      let pause = response.retryAfterSeconds.map { Int64(Int32(clamping: $0)) * 1000 }
      let isRefused = Self.isOfTheEvent(response.status) && pause == nil
      self = isRefused ? .refused : .failed(retryAfterMilliseconds: pause)
    case .failure(.busy), .failure(.stopped): self = .notSent
    case .failure: self = .failed()
    }
  }

  /// Whether a status speaks of the call's own content. 408 and 429 speak of the endpoint, and so
  /// does a redirect: a mistake in its address.
  private static func isOfTheEvent(_ status: Int) -> Bool {
    (400..<500).contains(status) && status != 408 && status != 429
  }
}
