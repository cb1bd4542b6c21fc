import Domain
import Operations
import Wire

extension RequestCore {
  /// Nobody is told when the two are no friends any more: nothing was asked for by hand.
  func offerReturnChallenge(
    _ operation: OfferReturnChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    let challenge = operation.challenge
    if edges.state(operation.player, challenge.receiver) == .friends {
      transaction.effect(challenge, on: challenge.key, game: call.game)
    }
    return Empty()
  }
}
