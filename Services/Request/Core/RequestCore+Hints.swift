import Domain
import Operations
import Wire

extension RequestCore {
  /// Pushes to whoever is connected; nothing is kept for those who are not. A player's budget bounds
  /// what a flood of hints costs its connections, and a slow one drops them at its gateway besides.
  func deliverHint(_ operation: DeliverHint, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    guard operation.body.array.count <= HintLimits.bytesMax else {
      throw .invalidArgument("body", "A hint has at most \(HintLimits.bytesMax) bytes.")
    }
    let channels = subscriptions.channels(of: operation.player, game: call.game)
    if channels.isEmpty { return Empty() }
    if let wait = hintBudgets.take(1, of: operation.player, &transaction) {
      throw .refuse(
        .rateLimited, "The player gets many hints: this one is dropped.",
        retryAfterMilliseconds: wait)
    }
    var event = HintEvent()
    event.kind = operation.kind
    event.body = operation.body
    for channel in channels { transaction.push(event, to: channel) }
    return Empty()
  }
}
