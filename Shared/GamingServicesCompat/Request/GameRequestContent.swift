public import Foundation
internal import MusterKit

/// What a request says, and to whom it goes.
public final class GameRequestContent: NSObject, SharingValidatable {
  public var message = ""
  public var actionType = GameRequestActionType.none
  /// The object that is sent or asked for: required with `send` and `askFor`, and allowed only
  /// there.
  public var objectID = ""
  /// The ids of the recipients; when there are some, the player is not asked to choose. They
  /// exclude `filters` and `recipientSuggestions`.
  public var recipients: [String] = []
  /// The ids of friends who come first in the selector. They exclude `filters`.
  public var recipientSuggestions: [String] = []
  public var filters = GameRequestFilter.none
  /// At most 255 characters.
  public var data: String?
  public var title = ""
  public var cta = ""

  public override init() { super.init() }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? GameRequestContent).map { isEqual(to: $0) } ?? false
  }

  public override var hash: Int { values.hashValue }

  /// Throws the first broken rule, in the order in which the server checks them.
  public func validate(options: ShareBridgeOptions = []) throws(GamingServicesError) {
    if let failure = RequestContentRules.failure(in: operation, recipientsAreChosen: false) {
      throw error(for: failure)
    }
  }

  /// The error of a broken rule, with the argument's value as the SDK tells it: not where the value
  /// is missing, nor for an object.
  private func error(for failure: Failure) -> GamingServicesError {
    let value: (any Sendable)? =
      switch failure.argument {
      case _ where failure.code == .requiredArgument: nil
      case "message": message
      case "recipients": recipients
      case "recipientSuggestions": recipientSuggestions
      case "data": data
      case "title": title
      case "cta": cta
      default: nil
      }
    return GamingServicesError(
      failure.code, argument: failure.argument, value: value, failure.text,
      number: .requestArgument)
  }

  var operation: SendRequest {
    var operation = SendRequest()
    operation.message = message
    operation.actionType = actionType.term
    operation.objectID = objectID
    operation.recipients = recipients
    operation.recipientSuggestions = recipientSuggestions
    operation.filters = filters.term
    operation.data = data
    operation.title = title
    operation.cta = cta
    return operation
  }
}
