import Domain
import Operations
import Wire

/// Friends whom an operator brings from another system.
extension RequestCore {
  func importFriends(_ operation: ImportFriends, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ImportFriends.Reply
  {
    guard let owner = players[operation.player] else {
      throw .notFound("player", "There is no such player.")
    }
    let others = operation.friends.map(\.player).filter { !$0.isNil && $0 != owner.key }
    var profiles: [PlayerID: Profile] = [:]
    for profile in try call.facts(FetchProfile.self, at: others) {
      profiles[profile.player] = profile
    }
    var reply = ImportFriends.Reply()
    for friend in operation.friends {
      var outcome = FriendInvitationOutcome()
      outcome.player = friend.player
      do throws(Stop) {
        try bring(friend, profiles[friend.player], to: owner, call, &transaction)
      } catch {
        guard case .refused(let failure) = error else {
          preconditionFailure("all facts are here")
        }
        outcome.refusal = failure.code
      }
      outcome.state = edges.state(owner.key, friend.player)
      reply.outcomes.append(outcome)
    }
    return reply
  }

  private func bring(
    _ friend: ImportedFriend, _ profile: Profile?, to owner: PlayerRow, _ call: Call,
    _ transaction: inout Transaction
  ) throws(Stop) {
    guard let profile else { throw .invalidArgument("friends", "Another player is needed.") }
    guard profile.isReachable, !call.standIns.contains(friend.player) else {
      throw .refuse(.notReachable, "There is no such player.")
    }
    if friend.isBlocked { return try block(friend.player, as: owner, call, &transaction) }
    var row = edges.row(owner.key, friend.player)
    if row.edge.state == .friends { return }
    if row.edge.state == .blocked {
      throw .conflict("friends", "The player blocks this one.")
    }
    if !row.edge.wishes { try checkFriendsLimit(of: owner.key) }
    guard row.edge.befriend(since: min(friend.since, transaction.now)) else { return }
    row.displayName = profile.displayName
    put(row, &transaction)
    tell(row, as: owner, isImported: true, &transaction)
  }

  /// Takes the news of an imported friendship. Where it cannot be, the other side learns that it
  /// has ended, whether it was refused for a block, for the number of friends, or ended long ago.
  func hearImported(
    _ operation: FriendEdgeChanged, as owner: PlayerRow, _ transaction: inout Transaction
  ) {
    var row = edges.row(owner.key, operation.friend)
    _ = row.edge.hear(wished: operation.wished, ended: operation.ended)
    let hasRoom =
      row.edge.wishes || edges.counts(of: owner.key).wishes < FriendLimits.friendsMax
    row.displayName = operation.displayName
    if hasRoom, row.edge.befriend(since: operation.wished) {
      put(row, &transaction)
    } else {
      _ = row.edge.end(now: transaction.now)
      keep(row, mustTell: true, as: owner, &transaction)
    }
  }
}
