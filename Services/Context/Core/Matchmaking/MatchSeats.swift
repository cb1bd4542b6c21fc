import Domain
import Operations
import Wire

/// Answers queues and inviters that ask for seats in a running match.
struct MatchSeats: CorePart {
  let contexts: Contexts
  let matches: Matches

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
    if answer.isGiven { call.haveLeave(operation.players, &transaction) }
    transaction.effect(answer, on: operation.answerTo, game: call.game)
  }

  /// Gives all of the players seats and makes them active in the context, or does nothing and
  /// returns false: see `AddMatchSeats`.
  private func give(
    _ operation: AddMatchSeats, _ call: Call, _ transaction: inout Transaction
  ) -> Bool {
    guard
      matches.hasSeats(
        for: operation.players, besides: operation.present, in: operation.context,
        number: operation.number),
      var row = contexts[operation.context], row.game == call.game
    else { return false }
    var arrived: [PlayerID] = []
    for player in operation.players {
      switch row.admit(player, through: .matchmaking(.active), isApart: false) {
      case .admitted: arrived.append(player)
      case .alreadyIn:
        if row.state(of: player) == .active { continue }
        row.set(.active, of: player)
        arrived.append(player)
      default: return false
      }
    }
    // From here on nothing is refused.
    if !arrived.isEmpty { contexts.keep(&row, &transaction) }
    for player in arrived { contexts.tell(row, about: player, .active, &transaction) }
    matches.addSeats(
      operation.players, to: operation.context, number: operation.number, &transaction)
    return true
  }
}
