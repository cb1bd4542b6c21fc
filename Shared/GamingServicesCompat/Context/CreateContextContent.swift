internal import MusterKit

/// Says with whom to create a context.
public final class CreateContextContent {
  public var playerID: String

  public init(playerID: String) { self.playerID = playerID }

  public func validate() throws(GamingServicesError) {
    if playerID.isEmpty { throw .required("playerID") }
  }
}
