import Domain
import Operations
import Wire

/// The players of one call's invitations, with what the facts say of them.
struct GroupInvitees {
  private let inviter: PlayerID
  /// As they were named.
  private let players: [PlayerID]
  /// Those who can be invited, with what they said.
  private var reachable: [PlayerID: FetchPlayer.Reply] = [:]
  /// When the inviter blocked none of them.
  private let inviterTime: Int64

  /// Friends can be invited who do not block the inviter. Whom a block keeps apart from others in
  /// the group is asked when they arrive: an answer now would tell the inviter who blocks whom.
  init(_ players: [PlayerID], of call: Call) throws(Stop) {
    inviter = call.player
    self.players = players
    let known = try call.fact(FetchFriends.self)
    inviterTime = known.time
    let candidates = Set(players).intersection(known.friends).sorted()
    let answers = try call.facts(FetchPlayer.self, at: candidates)
    for (player, answer) in zip(candidates, answers) where answer.isReachable {
      reachable[player] = answer
    }
  }

  /// Admits each to the group, in the order of the call, and says what became of it.
  func admit(to row: inout ContextRow) -> [ContextInvitee] {
    var outcomes: [ContextInvitee] = []
    for player in players {
      let admission = row.admit(
        player, isNew: reachable[player]?.isNew == true, through: .invitation(by: inviter),
        isApart: reachable[player] == nil)
      if case .admitted = admission {
        row.checks.append(
          BlockCheck(
            player: player, time: reachable[player]?.time ?? 0, inviter: inviter,
            inviterTime: inviterTime))
      }
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
