import Domain
import Operations
import Wire

extension RequestCore {
  func getProfile(_ operation: GetProfile, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> GetProfile.Reply
  {
    guard let player = players[operation.player],
      edges.state(operation.player, call.player) != .blocked
    else { throw .refuse(.notReachable, "There is no such player.") }
    var reply = GetProfile.Reply()
    reply.player = player.key
    reply.displayName = player.displayName
    reply.isAppUser = games.row(player.key, call.game) != nil
    return reply
  }

  func setProfile(_ operation: SetProfile, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    var player = try caller(call)
    if let failure = ProfileRules.failure(displayName: operation.displayName) {
      throw .refused(failure)
    }
    player.displayName = operation.displayName
    players.put(player, &transaction)
    return Empty()
  }
}
