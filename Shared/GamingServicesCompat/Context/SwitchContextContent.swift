internal import MusterKit

/// Says which context to enter.
public final class SwitchContextContent {
  /// The identifier of a context, not of a player.
  public var contextTokenID: String

  public init(contextID: String) { contextTokenID = contextID }

  public func validate() throws(GamingServicesError) {
    if contextTokenID.isEmpty { throw .required("contextToken") }
  }
}
