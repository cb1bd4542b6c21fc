internal import Foundation

/// Codes of `ErrorDomain`, in the form in which Swift has them from Objective-C: an error type with
/// a `Code`, and the codes under its own name.
public struct CoreError: Sendable {
  public enum Code: Int, Sendable, CaseIterable {
    case errorReserved
    case errorEncryption
    /// An argument is missing or wrong; `ErrorArgumentNameKey` names it.
    case errorInvalidArgument
    case errorUnknown
    /// The server cannot be reached, or has not answered in time.
    case errorNetwork
    case errorAppEventsFlush
    case errorGraphRequestNonTextMimeTypeReturned
    case errorGraphRequestProtocolMismatch
    /// The server refused the call; `GraphRequestErrorGraphErrorCodeKey` says why.
    case errorGraphRequestGraphAPI
    /// Another dialog is open, or nobody can show this one.
    case errorDialogUnavailable
    /// No player is signed in.
    case errorAccessTokenRequired
    case errorAppVersionUnsupported
    case errorBrowserUnavailable
    /// Nobody has answered the dialog in time.
    case errorBridgeAPIInterruption
    case errorBridgeAPIResponse

    /// Lets a game write `catch CoreError.errorNetwork`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      let error = error as NSError
      return error.domain == ErrorDomain && error.code == code.rawValue
    }
  }

  public static var errorReserved: Code { .errorReserved }
  public static var errorEncryption: Code { .errorEncryption }
  public static var errorInvalidArgument: Code { .errorInvalidArgument }
  public static var errorUnknown: Code { .errorUnknown }
  public static var errorNetwork: Code { .errorNetwork }
  public static var errorAppEventsFlush: Code { .errorAppEventsFlush }
  public static var errorGraphRequestNonTextMimeTypeReturned: Code {
    .errorGraphRequestNonTextMimeTypeReturned
  }
  public static var errorGraphRequestProtocolMismatch: Code { .errorGraphRequestProtocolMismatch }
  public static var errorGraphRequestGraphAPI: Code { .errorGraphRequestGraphAPI }
  public static var errorDialogUnavailable: Code { .errorDialogUnavailable }
  public static var errorAccessTokenRequired: Code { .errorAccessTokenRequired }
  public static var errorAppVersionUnsupported: Code { .errorAppVersionUnsupported }
  public static var errorBrowserUnavailable: Code { .errorBrowserUnavailable }
  public static var errorBridgeAPIInterruption: Code { .errorBridgeAPIInterruption }
  public static var errorBridgeAPIResponse: Code { .errorBridgeAPIResponse }
}
