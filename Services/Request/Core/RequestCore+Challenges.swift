import Domain
import Operations
import Wire

extension RequestCore {
  /// Passes on an automatic return challenge while the two are friends. Otherwise nobody is told,
  /// because no player asked for it by hand.
  func offerReturnChallenge(
    _ operation: OfferReturnChallenge, _ call: Call, _ transaction: inout Transaction
  ) {
    let challenge = operation.challenge
    if edges.state(operation.player, challenge.receiver) == .friends {
      transaction.effect(challenge, on: challenge.key, game: call.game)
    }
  }
}
