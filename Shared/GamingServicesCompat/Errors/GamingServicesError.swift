public import Foundation
public import MusterKit

/// Why a dialog has failed: an `NSError` with the domain, the code and the `userInfo` keys that a
/// game has read so far (`ErrorDomain`, `CoreError`, `ErrorArgumentNameKey`, …), and a stable code
/// of ours beside them.
///
/// It is a subclass and not a bridged struct, because `error as? NSError` finds only the former on
/// Linux. What it has besides `NSError` never changes, so that it can be sent.
public final class GamingServicesError: NSError, @unchecked Sendable {
  /// What has failed, as all of Muster's calls say it; `code` is the SDK's number.
  public let failureCode: FailureCode
  /// The name of the argument at fault (`message`, `playerID`, …); empty when no single argument
  /// is. Under `ErrorArgumentNameKey` as well.
  public let argument: String
  /// One sentence for a person, as the server has said it: `localizedDescription`.
  public let text: String
  /// Whether the server may have carried the call out although it failed.
  public let isOutcomeUnknown: Bool
  /// When to try again, where the server has said that.
  public let retryAfter: Duration?
  /// Names the call in the logs of the deployment; nil where no call was sent.
  public let trace: TraceID?

  /// - Parameters:
  ///   - value: what the argument was, where that tells more than its name.
  ///   - number: the SDK's domain and code; those of `code` unless given.
  init(
    _ code: FailureCode, argument: String = "", value: (any Sendable)? = nil, _ text: String,
    isOutcomeUnknown: Bool = false, retryAfter: Duration? = nil, trace: TraceID? = nil,
    number: SDKNumber? = nil
  ) {
    let number = number ?? SDKNumber(code)
    failureCode = code
    self.argument = argument
    self.text = text.isEmpty ? "The call has failed." : text
    self.isOutcomeUnknown = isOutcomeUnknown
    self.retryAfter = retryAfter
    self.trace = trace
    var info: [String: Any] = [
      ErrorDeveloperMessageKey: self.text, NSLocalizedDescriptionKey: self.text,
    ]
    if !argument.isEmpty { info[ErrorArgumentNameKey] = argument }
    if let value { info[ErrorArgumentValueKey] = value }
    if number.isOfServer {
      info[GraphRequestErrorKey] = GraphRequestError(code).rawValue
      info[GraphRequestErrorGraphErrorCodeKey] = Int(code.rawValue)
    }
    super.init(domain: number.domain, code: number.code, userInfo: info)
  }

  convenience init(_ error: MusterError) {
    self.init(
      error.code, argument: Self.property(ofField: error.argument), error.text,
      isOutcomeUnknown: error.isOutcomeUnknown, retryAfter: error.retryAfter,
      trace: error.trace)
  }

  /// An archive has what the SDK's errors have, and our own code is not among that.
  public required init?(coder: NSCoder) {
    failureCode = FailureCode()
    argument = ""
    text = ""
    isOutcomeUnknown = false
    retryAfter = nil
    trace = nil
    super.init(coder: coder)
  }

  // On Linux that of `NSError` traps.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(domain)
    hasher.combine(code)
    return hasher.finalize()
  }

  /// What a dialog's content calls the field of an operation.
  private static func property(ofField field: String) -> String {
    switch field {
    case "context": "contextToken"
    case "player": "playerID"
    default: field
    }
  }

  static func required(_ argument: String) -> GamingServicesError {
    GamingServicesError(
      .requiredArgument, argument: argument, "A value for \(argument) is required.")
  }

  /// Nobody has answered a dialog within `GamingServices.dialogTimeLimit`.
  static func timedOut() -> GamingServicesError {
    GamingServicesError(
      .deadlineExceeded, "Nobody has answered the dialog in time.",
      number: SDKNumber(.errorBridgeAPIInterruption))
  }
}

/// By what a game tells errors apart that it knows from the SDK.
struct SDKNumber {
  let domain: String
  let code: Int

  init(_ error: CoreError.Code) { (domain, code) = (ErrorDomain, error.rawValue) }
  init(_ error: ShareError) { (domain, code) = (ShareErrorDomain, error.rawValue) }

  /// Arguments of a request have the domain of sharing, and the core's code.
  static let requestArgument = SDKNumber(ShareErrorDomain, CoreError.errorInvalidArgument.rawValue)

  private init(_ domain: String, _ code: Int) { (self.domain, self.code) = (domain, code) }

  init(_ code: FailureCode) {
    switch code {
    case .requiredArgument, .invalidArgument: self.init(.errorInvalidArgument)
    case .notAuthenticated, .invalidCredential, .sessionExpired, .banned:
      self.init(.errorAccessTokenRequired)
    case .unavailable, .deadlineExceeded, .disconnected: self.init(.errorNetwork)
    case .malformed, .unknownOperation: self.init(.errorGraphRequestProtocolMismatch)
    case .pendingRequest: self.init(.errorDialogUnavailable)
    default: self.init(.errorGraphRequestGraphAPI)
    }
  }

  /// Whether a server has refused the call or could not be reached.
  var isOfServer: Bool {
    domain == ErrorDomain
      && [CoreError.Code.errorGraphRequestGraphAPI, .errorNetwork].contains { $0.rawValue == code }
  }
}

extension GraphRequestError {
  fileprivate init(_ code: FailureCode) {
    switch code {
    case .unavailable, .deadlineExceeded, .disconnected, .rateLimited, .backpressure, .storageFull:
      self = .transient
    default: self = .other
    }
  }
}
