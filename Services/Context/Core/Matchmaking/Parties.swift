import Domain
import Operations
import Wire

/// Who is in a context, for queues and inviters.
struct Parties: CorePart {
  let contexts: Contexts
  let matches: Matches

  func register(_ router: inout Router) {
    router.on(FetchParty.self, fetchParty)
  }

  private func fetchParty(
    _ operation: FetchParty, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchParty.Reply {
    guard let row = contexts[operation.party], row.game == call.game,
      row.state(of: call.player) == .active
    else { throw .notFound("party", "You are active in no context with this id.") }
    var reply = FetchParty.Reply()
    reply.players = row.players.filter { $0.state == .active }.map(\.player)
    reply.openMatch = matches.openMatch(in: row, of: call.player)
    return reply
  }
}
