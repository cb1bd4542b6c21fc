/// Why a call has failed: a stable code for programs and a sentence for people.
public struct MusterError: Error, Equatable, Sendable {
  public var code: FailureCode
  /// The name of the argument at fault; empty when no single argument is.
  public var argument: String
  public var text: String
  /// Of `deadlineExceeded`: how the server last refused, for a time, the call or its session while
  /// the client tried again; nil where it refused neither. `text` says it as a sentence. It may be
  /// over: the connection was lost after it, or the call was sent again.
  public var cause: FailureCode?
  /// The time after which another try may succeed, when the server said so.
  public var retryAfter: Duration?
  /// Whether the call may have been carried out although it failed: it was sent, and no answer told
  /// what became of it. Look at the state before doing it again.
  public var isOutcomeUnknown: Bool
  /// More data, as the code's documentation says, such as the current state after a conflict.
  public var detail: [UInt8]
  /// Names the call in the logs of the deployment, where its operator finds with it what has become
  /// of the call (`muster trace`); nil for a call that was never sent.
  public var trace: TraceID?

  public init(
    _ code: FailureCode, argument: String = "", _ text: String, retryAfter: Duration? = nil,
    isOutcomeUnknown: Bool = false, detail: [UInt8] = [], trace: TraceID? = nil,
    cause: FailureCode? = nil
  ) {
    self.code = code
    self.argument = argument
    self.text = text
    self.retryAfter = retryAfter
    self.isOutcomeUnknown = isOutcomeUnknown
    self.detail = detail
    self.trace = trace
    self.cause = cause
  }

  public init(_ failure: Failure) {
    self.init(
      failure.code, argument: failure.argument, failure.text,
      retryAfter: failure.retryAfterMilliseconds == 0
        ? nil : .milliseconds(failure.retryAfterMilliseconds),
      detail: failure.detail.array)
  }

  init(_ failure: Failure, cause: FailureCode?) {
    self.init(failure)
    self.cause = cause
  }

  static var clientClosed: MusterError { MusterError(.disconnected, "This client was closed.") }

  /// The error as the protocol's failure.
  public var failure: Failure {
    Failure(
      code, argument: argument, text,
      retryAfterMilliseconds: UInt32(clamping: retryAfter?.milliseconds ?? 0),
      detail: Bytes(detail))
  }
}

extension MusterError: CustomStringConvertible {
  public var description: String {
    var description = text.isEmpty ? "The call failed (\(code))." : text
    let reason = cause.map { "\(code) after \($0)" } ?? "\(code)"
    if !argument.isEmpty { description += " [\(reason), argument \(argument)]" }
    if argument.isEmpty && !text.isEmpty { description += " [\(reason)]" }
    if let retryAfter { description += " Try again in \(retryAfter)." }
    if isOutcomeUnknown { description += " It may have been carried out all the same." }
    if let trace { description += " Trace \(trace)." }
    return description
  }
}
