public import Foundation

/// Says which context to enter.
public final class SwitchContextContent: NSObject, ValidatableProtocol, NSSecureCoding, NSCopying {
  /// The identifier of a context, not of a player.
  public var contextTokenID: String

  public init(contextID: String) {
    contextTokenID = contextID
    super.init()
  }

  public func validate() throws(GamingServicesError) {
    if contextTokenID.isEmpty { throw .required("contextToken") }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SwitchContextContent)?.contextTokenID == contextTokenID
  }

  public override var hash: Int { contextTokenID.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any {
    SwitchContextContent(contextID: contextTokenID)
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    contextTokenID = coder.text(forKey: "contextToken") ?? ""
    super.init()
  }

  public func encode(with coder: NSCoder) { coder.encode(contextTokenID, forKey: "contextToken") }
}
