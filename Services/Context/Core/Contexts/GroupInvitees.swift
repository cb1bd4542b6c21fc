import Domain
import Operations
import Wire

/// The players of one call's invitations, with what the facts say of them.
struct GroupInvitees {
  private let inviter: PlayerID
  /// As they were named.
  private let players: [PlayerID]
  private var reachable: Set<PlayerID> = []
  private var new: Set<PlayerID> = []

  /// Friends can be invited who do not block the inviter, and whom nobody in the group blocks. Whom
  /// they block in it is asked when they arrive.
  init(_ players: [PlayerID], of call: Call, to row: ContextRow) throws(Stop) {
    inviter = call.player
    self.players = players
    let friends = Set(try call.fact(FetchFriends.self).friends)
    let candidates = Set(players).intersection(friends).sorted()
    let answers = try call.facts(FetchPlayer.self, at: candidates)
    let blocked = try call.blocked(candidates, by: row.others(than: call.player))
    for (player, answer) in zip(candidates, answers)
    where answer.isReachable && !blocked.contains(player) {
      reachable.insert(player)
      if answer.isNew { new.insert(player) }
    }
  }

  /// Admits each to the group, in the order of the call, and says what became of it.
  func admit(to row: inout ContextRow) -> [ContextInvitee] {
    var outcomes: [ContextInvitee] = []
    for player in players {
      let admission = row.admit(
        player, isNew: new.contains(player), through: .invitation(by: inviter),
        isApart: !reachable.contains(player))
      let outcome: InvitationOutcome =
        switch admission {
        case .admitted: .invited
        case .alreadyIn: .alreadyIn
        case .full: .full
        case .removed: .removed
        case .hidden, .waits, .manyRequests: .notReachable
        }
      outcomes.append(ContextInvitee(player: player, outcome: outcome))
    }
    return outcomes
  }
}
