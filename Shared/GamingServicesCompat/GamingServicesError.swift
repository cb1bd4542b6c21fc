public import Foundation
public import MusterKit

/// Why a dialog has failed: a stable code for programs and a sentence for people.
public struct GamingServicesError: Error, Equatable, Sendable {
  public var code: FailureCode
  /// The name of the argument at fault (`message`, `playerID`, …); empty when no single argument
  /// is.
  public var argument: String
  public var text: String
  /// Whether the server may have carried the call out although it failed.
  public var isOutcomeUnknown: Bool

  init(_ code: FailureCode, argument: String = "", _ text: String) {
    self.code = code
    self.argument = argument
    self.text = text
    isOutcomeUnknown = false
  }

  init(_ failure: Failure) {
    self.init(failure.code, argument: Self.property(ofField: failure.argument), failure.text)
  }

  init(_ error: MusterError) {
    self.init(error.code, argument: Self.property(ofField: error.argument), error.text)
    isOutcomeUnknown = error.isOutcomeUnknown
  }

  /// What a dialog's content calls the field of an operation.
  private static func property(ofField field: String) -> String {
    switch field {
    case "context": "contextToken"
    case "player": "playerID"
    default: field
    }
  }

  static func required(_ argument: String) -> Self {
    Self(.requiredArgument, argument: argument, "A value for \(argument) is required.")
  }
}

extension GamingServicesError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }
  public var description: String {
    argument.isEmpty ? "\(text) [\(code)]" : "\(text) [\(code), argument \(argument)]"
  }
}
