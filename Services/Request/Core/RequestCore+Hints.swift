import Domain
import Operations
import Wire

extension RequestCore {
  /// Pushes to whoever is connected; nothing is kept for those who are not. A player's budget
  /// bounds what a flood of hints costs its connections, and a slow one drops them at its gateway
  /// besides. Presence has a budget of its own, so that it takes no room from other hints, and
  /// waits where that is used up.
  func deliverHint(_ operation: DeliverHint, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let channels = subscriptions.channels(of: operation.player, game: call.game)
    if channels.isEmpty { return }
    if operation.kind == PresenceChanged.opcode.rawValue {
      if let event = presence(in: operation) {
        deliver(event, to: operation.player, channels, &transaction)
      }
      return
    }
    if let wait = hintBudgets.take(.hints, of: operation.player, &transaction) {
      throw .rateLimited("The player gets many hints: this one is dropped.", wait)
    }
    var event = HintEvent()
    event.kind = operation.kind
    event.body = operation.body
    for channel in channels { transaction.push(event, to: channel) }
  }
}
