// The SDK's own names and values, by which games read errors.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The domain of errors that are not about a request's content.
public let ErrorDomain = "com.facebook.sdk.core"
/// The domain of errors about a request's content, and of request dialogs that cannot be shown.
public let ShareErrorDomain = "com.facebook.sdk.share"

/// The key of the name of the argument at fault (String).
public let ErrorArgumentNameKey = "com.facebook.sdk:FBSDKErrorArgumentNameKey"
/// The key of the value of the argument at fault; none when a value is missing.
public let ErrorArgumentValueKey = "com.facebook.sdk:FBSDKErrorArgumentValueKey"
/// The key of the collection whose element is at fault. Nothing here has one.
public let ErrorArgumentCollectionKey = "com.facebook.sdk:FBSDKErrorArgumentCollectionKey"
/// The key of a sentence for the developer (String).
public let ErrorDeveloperMessageKey = "com.facebook.sdk:FBSDKErrorDeveloperMessageKey"
/// The key of a sentence in the player's language. Muster's servers write none.
public let ErrorLocalizedDescriptionKey = "com.facebook.sdk:FBSDKErrorLocalizedDescriptionKey"
/// The key of a title in the player's language. Muster's servers write none.
public let ErrorLocalizedTitleKey = "com.facebook.sdk:FBSDKErrorLocalizedErrorTitleKey"

/// The key of the raw value of a `GraphRequestError`, on errors of the server.
public let GraphRequestErrorKey = "com.facebook.sdk:FBSDKGraphRequestErrorKey"
/// The key of the server's own number, the raw value of a `FailureCode` (Int).
public let GraphRequestErrorGraphErrorCodeKey =
  "com.facebook.sdk:FBSDKGraphRequestErrorGraphErrorCodeKey"
/// The key of a finer number. Muster's servers have none.
public let GraphRequestErrorGraphErrorSubcodeKey =
  "com.facebook.sdk:FBSDKGraphRequestErrorGraphErrorSubcodeKey"
/// The key of an HTTP status. Muster's servers have none.
public let GraphRequestErrorHTTPStatusCodeKey =
  "com.facebook.sdk:FBSDKGraphRequestErrorHTTPStatusCodeKey"
/// The key of a JSON reply. Muster's servers have none.
public let GraphRequestErrorParsedJSONResponseKey =
  "com.facebook.sdk:FBSDKGraphRequestErrorParsedJSONResponseKey"

/// Codes of `ShareErrorDomain`, which has `CoreError.errorInvalidArgument` as well.
public enum ShareError: Int, Sendable, CaseIterable {
  case reserved = 200
  case openGraph
  /// Another request dialog is open, or nobody can show this one.
  case dialogNotAvailable
  case unknown
}

/// Whether to try again.
public enum GraphRequestError: UInt, Sendable, CaseIterable {
  case other
  /// The call may succeed later.
  case transient
  case recoverable
}
