internal import MusterKit

/// What a request says and to whom it goes.
public final class GameRequestContent {
  public var message = ""
  public var actionType = GameRequestActionType.none
  /// Required for `send` and `askFor`, and only allowed there.
  public var objectID = ""
  /// Ids of players; when set, nobody is asked to select. Excludes `filters` and
  /// `recipientSuggestions`.
  public var recipients: [String] = []
  /// Ids of friends who come first in the selector. Excludes `filters`.
  public var recipientSuggestions: [String] = []
  public var filters = GameRequestFilter.none
  /// At most 255 characters.
  public var data: String?
  public var title = ""
  public var cta = ""

  public init() {}

  /// The first broken rule, in the order of the server's own check.
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
