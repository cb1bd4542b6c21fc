public import Foundation

/// Says with whom to create a context.
public class CreateContextContent: NSObject, ValidatableProtocol, NSSecureCoding, NSCopying {
  public var playerID: String

  public init(playerID: String) {
    self.playerID = playerID
    super.init()
  }

  public func validate() throws(GamingServicesError) {
    if playerID.isEmpty { throw .required("playerID") }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CreateContextContent)?.playerID == playerID
  }

  public override var hash: Int { playerID.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any { CreateContextContent(playerID: playerID) }

  public class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    playerID = coder.text(forKey: "playerID") ?? ""
    super.init()
  }

  public func encode(with coder: NSCoder) { coder.encode(playerID, forKey: "playerID") }
}
