public import Foundation
public import MusterKit

/// The domain of `GKError` as an `NSError`.
public let GKErrorDomain = "GKErrorDomain"

/// Why a call has failed: GameKit's kind of error, Muster's stable code and a sentence for people.
public struct GKError: Error, Equatable, Sendable {
  public var code: Code
  public var failure: FailureCode
  /// The name of the argument at fault; empty when no single argument is.
  public var argument: String
  public var text: String
  /// Whether the server may have carried the call out although it failed.
  public var isOutcomeUnknown: Bool
  /// Names the call in the logs of the deployment; nil where no call was sent.
  public var trace: TraceID?

  /// An error of the game's own making.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    (failure, argument, isOutcomeUnknown) = (FailureCode(), "", false)
    text = userInfo[NSLocalizedDescriptionKey] as? String ?? ""
  }

  init(_ failure: FailureCode, argument: String = "", as code: Code? = nil, _ text: String) {
    self.failure = failure
    self.argument = argument
    self.text = text
    isOutcomeUnknown = false
    self.code = code ?? Code(failure, argument: argument)
  }

  init(_ failure: Failure) { self.init(failure.code, argument: failure.argument, failure.text) }

  init(_ error: MusterError) {
    self.init(error.code, argument: error.argument, error.text)
    isOutcomeUnknown = error.isOutcomeUnknown
    trace = error.trace
  }
}

extension GKError.Code {
  /// GameKit's kind of a failure; `unknown` where it has none.
  init(_ failure: FailureCode, argument: String) {
    self =
      switch failure {
      case .requiredArgument where argument == "value": .scoreNotSet
      case .invalidArgument where ["minPlayers", "maxPlayers", "recipients"].contains(argument):
        .matchRequestInvalid
      case .requiredArgument, .invalidArgument: .invalidParameter
      case .notReachable: .invalidPlayer
      case .notAuthenticated, .sessionExpired: .notAuthenticated
      case .invalidCredential: .invalidCredentials
      case .banned: .notAuthorized
      case .matchEnded: .matchNotConnected
      case .cancelled: .cancelled
      case .unknownOperation: .apiNotAvailable
      case _ where failure.isTransient: .communicationsFailure
      default: .unknown
      }
  }
}

extension GKError {
  init(_ refusal: ChallengeRefusal) {
    switch refusal {
    case .oneself:
      self.init(.invalidArgument, argument: "receivers", "Nobody challenges oneself.")
    case .limitReached:
      self.init(.limitReached, "The player has as many open challenges as are allowed.")
    case .alreadyEarned:
      self.init(
        .alreadyExists, argument: "receivers", "The player has earned the achievement already.")
    case .alreadyMet:
      self.init(
        .alreadyExists, argument: "receivers", "The player's score meets the challenge already.")
    case .hidden:
      self.init(
        .notAllowed, argument: "receivers", "The player does not know of the achievement yet.")
    default: self.init(.notReachable, argument: "receivers", "The player cannot be reached.")
    }
  }
}

/// As an `NSError` it has GameKit's domain and numbers, and the sentence alone.
extension GKError: CustomNSError, LocalizedError, CustomStringConvertible {
  public static var errorDomain: String { GKErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] {
    text.isEmpty ? [:] : [NSLocalizedDescriptionKey: text]
  }
  public var errorDescription: String? { text.isEmpty ? nil : text }
  public var description: String {
    argument.isEmpty ? "\(text) [\(failure)]" : "\(text) [\(failure), argument \(argument)]"
  }
}
