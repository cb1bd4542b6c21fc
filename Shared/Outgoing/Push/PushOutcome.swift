/// What came of one attempt to push an event.
public enum PushOutcome: Sendable, Equatable {
  /// The endpoint has taken the event (a status of 2xx).
  case accepted
  /// It has not, or nobody knows. With `retryAfterMilliseconds`, the endpoint asks for no calls at
  /// all until then.
  case failed(retryAfterMilliseconds: Int64? = nil)
  /// Nothing was sent, because of this process and not of the endpoint: the attempt does not count.
  case notSent

  public init(_ result: Result<HTTPSResponse, HTTPSError>) {
    switch result {
    case .success(let response) where response.isSuccess: self = .accepted
    case .success(let response):
      // A redirect and a refusal of this very event count like a fault of the endpoint: both may be
      // a mistake of its operator, who mends it while the event is tried again.
      self = .failed(
        retryAfterMilliseconds: response.retryAfterSeconds.map { Int64(Int32(clamping: $0)) * 1000 }
      )
    case .failure(.busy), .failure(.stopped): self = .notSent
    case .failure: self = .failed()
    }
  }
}
