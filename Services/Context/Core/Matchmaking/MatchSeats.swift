import Domain
import Operations

/// Answers queues and inviters that ask for seats in a running match.
struct MatchSeats: CorePart {
  /// Gives all of the players seats and makes them active in the context, or does nothing and
  /// returns false: see `AddMatchSeats`.
  let give: (AddMatchSeats, Call, inout Transaction) -> Bool

  func register(_ router: inout Router) {
    router.on(AddMatchSeats.self, addMatchSeats)
  }

  private func addMatchSeats(
    _ operation: AddMatchSeats, _ call: Call, _ transaction: inout Transaction
  ) {
    var answer = MatchSeatsAnswered()
    answer.key = operation.answerTo
    answer.request = operation.request
    answer.isGiven = give(operation, call, &transaction)
    transaction.effect(answer, on: operation.answerTo, game: call.game)
  }
}
