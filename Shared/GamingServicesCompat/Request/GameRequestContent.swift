internal import MusterKit

/// What a request says, and to whom it goes.
public final class GameRequestContent {
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

  public init() {}

  /// Throws the first broken rule, in the order in which the server checks them.
  public func validate() throws(GamingServicesError) {
    if let failure = RequestContentRules.failure(in: operation, recipientsAreChosen: false) {
      throw GamingServicesError(failure)
    }
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

/// What a request asks its recipients to do.
public enum GameRequestActionType: Sendable {
  case none, send, askFor, turn, invite

  var term: ActionType {
    switch self {
    case .none: .none
    case .send: .send
    case .askFor: .askFor
    case .turn: .turn
    case .invite: .invite
    }
  }
}

/// Which friends the selector shows.
public enum GameRequestFilter: Sendable {
  case none, appUsers, appNonUsers, everybody

  var term: RequestFilter {
    switch self {
    case .none: .none
    case .appUsers: .appUsers
    case .appNonUsers: .appNonUsers
    case .everybody: .everybody
    }
  }
}
