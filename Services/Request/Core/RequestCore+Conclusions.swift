import Domain
import Operations
import Wire

extension RequestCore {
  func requestConcluded(
    _ operation: RequestConcluded, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    // A sender who was erased meanwhile is told nothing.
    guard players[operation.player] != nil else { return }
    // Nothing passes a block but the end of what the sender has sent.
    if operation.conclusion.isAct, edges.state(operation.player, operation.recipient) == .blocked {
      return
    }
    switch operation.conclusion {
    case .accepted, .declined:
      var event = RequestAnswered()
      event.request = operation.request
      event.recipient = operation.recipient
      event.accepted = operation.conclusion == .accepted
      append(
        event, to: operation.player, from: operation.recipient, game: call.game, &transaction)
    case .expired:
      var event = RequestExpired()
      event.request = operation.request
      event.recipient = operation.recipient
      append(
        event, to: operation.player, from: operation.recipient, game: call.game, &transaction)
    case .delivered:
      var event = RequestDelivered()
      event.request = operation.request
      event.recipient = operation.recipient
      append(
        event, to: operation.player, from: operation.recipient, game: call.game, &transaction)
    case .notReachable, .limitReached, .rateLimited:
      var event = RequestDropped()
      event.request = operation.request
      event.recipient = operation.recipient
      event.outcome = operation.conclusion.outcome
      event.retryAfterMilliseconds = operation.retryAfterMilliseconds
      append(
        event, to: operation.player, from: operation.recipient, game: call.game, &transaction)
    default:
      throw .invalidArgument("conclusion", "\(operation.conclusion) ends no request.")
    }
  }
}

extension RequestConclusion {
  /// Whether it says what the recipient, or the recipient's client, has done.
  fileprivate var isAct: Bool { self == .accepted || self == .declined || self == .delivered }

  /// Of a copy that was dropped.
  fileprivate var outcome: DeliveryOutcome {
    switch self {
    case .limitReached: .limitReached
    case .rateLimited: .rateLimited
    default: .notReachable
    }
  }
}

extension ReceivedRequest {
  /// Makes what a recipient sees of a request.
  init(_ operation: SendRequest, _ request: RequestID, from sender: PlayerRow, sent: Int64) {
    self.init()
    self.request = request
    self.sender = sender.key
    senderName = sender.displayName
    message = operation.message.inNormalForm
    actionType = operation.actionType
    objectID = operation.objectID
    data = operation.data
    title = operation.title.inNormalForm
    cta = operation.cta.inNormalForm
    self.sent = sent
  }
}
