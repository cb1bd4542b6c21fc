public import Foundation
internal import MusterKit

extension GameRequestContent: NSSecureCoding {
  // The names that the SDK has in its archives; `cta` is not among them, and read where it is.
  private enum Key {
    static let recipients = "to"
    static let message = "message"
    static let actionType = "actionType"
    static let objectID = "objectID"
    static let filters = "filters"
    static let recipientSuggestions = "suggestions"
    static let data = "data"
    static let title = "title"
    static let cta = "cta"
  }

  public static var supportsSecureCoding: Bool { true }

  public convenience init(coder: NSCoder) {
    self.init()
    recipients = coder.texts(forKey: Key.recipients)
    message = coder.text(forKey: Key.message) ?? ""
    let action = UInt(exactly: coder.decodeInteger(forKey: Key.actionType))
    actionType = action.flatMap { GameRequestActionType(rawValue: $0) } ?? .none
    objectID = coder.text(forKey: Key.objectID) ?? ""
    let filter = UInt(exactly: coder.decodeInteger(forKey: Key.filters))
    filters = filter.flatMap { GameRequestFilter(rawValue: $0) } ?? .none
    recipientSuggestions = coder.texts(forKey: Key.recipientSuggestions)
    data = coder.text(forKey: Key.data)
    title = coder.text(forKey: Key.title) ?? ""
    cta = coder.text(forKey: Key.cta) ?? ""
  }

  public func encode(with coder: NSCoder) {
    coder.encode(recipients, forKey: Key.recipients)
    coder.encode(message, forKey: Key.message)
    coder.encode(Int(actionType.rawValue), forKey: Key.actionType)
    coder.encode(objectID, forKey: Key.objectID)
    coder.encode(Int(filters.rawValue), forKey: Key.filters)
    coder.encode(recipientSuggestions, forKey: Key.recipientSuggestions)
    coder.encode(data, forKey: Key.data)
    coder.encode(title, forKey: Key.title)
    coder.encode(cta, forKey: Key.cta)
  }
}

extension GameRequestContent: NSCopying {
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = GameRequestContent()
    copy.message = message
    copy.actionType = actionType
    copy.objectID = objectID
    copy.recipients = recipients
    copy.recipientSuggestions = recipientSuggestions
    copy.filters = filters
    copy.data = data
    copy.title = title
    copy.cta = cta
    return copy
  }

  /// Whether both say the same, `cta` included.
  public func isEqual(to content: GameRequestContent) -> Bool {
    values == content.values
  }

  var values: [AnyHashable] {
    [
      message, actionType, objectID, recipients, recipientSuggestions, filters, data, title, cta,
    ]
  }
}
