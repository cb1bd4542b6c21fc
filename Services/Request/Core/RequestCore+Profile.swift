import Domain
import Operations
import Wire

extension RequestCore {
  func getProfile(_ operation: GetProfile, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> GetProfile.Reply
  {
    guard let player = player(operation.player, reachableBy: call) else {
      throw .refuse(.notReachable, "There is no such player.")
    }
    var reply = GetProfile.Reply()
    reply.player = player.key
    reply.displayName = player.displayName
    reply.isAppUser = games[PlayerGameKey(player: player.key, game: call.game)] != nil
    return reply
  }

  func fetchPlayer(_ operation: FetchPlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> FetchPlayer.Reply
  {
    var reply = FetchPlayer.Reply()
    reply.isReachable = player(operation.player, reachableBy: call) != nil
    reply.isNew =
      reply.isReachable && games[PlayerGameKey(player: operation.player, game: call.game)] == nil
    reply.time = transaction.now
    return reply
  }

  /// Nil when there is no such player or the player blocks the caller, who cannot tell one from the
  /// other.
  private func player(_ player: PlayerID, reachableBy call: Call) -> PlayerRow? {
    edges.state(player, call.player) == .blocked ? nil : players[player]
  }

  func setProfile(_ operation: SetProfile, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    var player = try caller(call)
    player.displayName = try kept(displayName: operation.displayName)
    players.put(player, &transaction)
  }

  /// A new display name as it is kept. A long one is refused as it came, since the time to bring
  /// text into normal form may grow with the square of its length.
  func kept(displayName: String) throws(Stop) -> String {
    if displayName.utf8.count > ProfileRules.typedBytesMax {
      throw .refused(ProfileRules.tooLong)
    }
    let name = ProfileRules.kept(displayName: displayName.inNormalForm)
    if let failure = ProfileRules.failure(displayName: name) { throw .refused(failure) }
    return name
  }
}
