public import Foundation
public import MusterKit

/// Why a call has failed: GameKit's kind of error, Muster's stable code and a sentence for people.
public struct GKError: Error, Equatable, Sendable {
  /// GameKit's kinds of errors, with GameKit's numbers.
  public enum Code: Int, Sendable {
    case unknown = 1
    case cancelled = 2
    case communicationsFailure = 3
    case notAuthenticated = 6
    case invalidPlayer = 8
    case scoreNotSet = 9
    case invalidParameter = 17
  }

  public var code: Code
  public var failure: FailureCode
  /// The name of the argument at fault; empty when no single argument is.
  public var argument: String
  public var text: String
  /// Whether the server may have carried the call out although it failed.
  public var isOutcomeUnknown: Bool

  init(_ failure: FailureCode, argument: String = "", _ text: String) {
    self.failure = failure
    self.argument = argument
    self.text = text
    isOutcomeUnknown = false
    code =
      switch failure {
      case .requiredArgument where argument == "value": .scoreNotSet
      case .requiredArgument, .invalidArgument: .invalidParameter
      case .notReachable: .invalidPlayer
      case .notAuthenticated, .invalidCredential, .sessionExpired: .notAuthenticated
      case .cancelled: .cancelled
      case _ where failure.isTransient: .communicationsFailure
      default: .unknown
      }
  }

  init(_ failure: Failure) { self.init(failure.code, argument: failure.argument, failure.text) }

  init(_ error: MusterError) {
    self.init(error.code, argument: error.argument, error.text)
    isOutcomeUnknown = error.isOutcomeUnknown
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

extension GKError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }
  public var description: String {
    argument.isEmpty ? "\(text) [\(failure)]" : "\(text) [\(failure), argument \(argument)]"
  }
}
