import Domain
import Operations
import Wire

extension ContextCore {
  func switchContext(_ operation: SwitchContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    var row = try participant(operation.context, call)
    let hasEntered = row.state(of: call.player) != .active
    row.set(.active, of: call.player)
    keep(&row, entering: call.player, &transaction)
    if hasEntered { tell(row, about: call.player, .active, &transaction) }
    return row.info
  }

  func leaveContext(_ operation: LeaveContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    var row = try participant(operation.context, call)
    leave(matchOf: row.key, call.player, isForGood: true, &transaction)
    row.leave(call.player)
    if row.isClosed && row.form == .solo {
      // Nobody can come back to it: its id was made from a call that is answered.
      row.lastActiveAt = transaction.now
      contexts.remove(row.key, &transaction)
    } else {
      keep(&row, &transaction)
      tell(row, about: call.player, .left, &transaction)
    }
    record(row, in: call.player, isMember: false, isEntered: false, &transaction)
  }

  func getContext(_ operation: GetContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    try participant(operation.context, call).info
  }

  /// A fact: the call that needs it has the context as an argument of the same name.
  func fetchParticipants(
    _ operation: FetchParticipants, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchParticipants.Reply {
    let row = try participant(operation.context, call)
    var reply = FetchParticipants.Reply()
    reply.players = row.present.map(\.player)
    return reply
  }
}
