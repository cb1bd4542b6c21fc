import Domain
import Operations
import Wire

extension RequestCore {
  /// Whether a player may be put together with others in a match. Here a block holds from when it
  /// was acknowledged.
  func confirmMatch(
    _ operation: ConfirmMatch, _ call: Call, _ transaction: inout Transaction
  ) {
    var answer = MatchConfirmed()
    answer.queue = operation.queue
    answer.match = operation.match
    answer.player = operation.player
    let isBlocking = operation.others.contains {
      edges.row(operation.player, $0).edge.isBlocked
    }
    if isBlocking {
      // All of them, so that the queue asks in vain no second time.
      answer.blocked = edges.blocked(by: operation.player)
    }
    transaction.effect(answer, on: operation.queue, game: call.game)
  }
}
