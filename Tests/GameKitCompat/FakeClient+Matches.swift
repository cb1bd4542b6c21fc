import MusterKit

@testable import GameKitCompat

extension FakeClient.Answers {
  mutating func matchReply(to operation: any Operation) -> Result<any Message, MusterError> {
    switch operation {
    case let list as ListRecentPlayers:
      // One a page.
      var (reply, player) = (ListRecentPlayers.Reply(), RecentPlayer())
      player.profile.displayName = list.cursor.isEmpty ? "Friend" : "Other"
      reply.players = [player]
      reply.cursor = list.cursor.isEmpty ? "2" : ""
      return .success(reply)
    case is CancelMatchInvite: return .success(Empty())
    case let answer as AnswerMatchInvite:
      var reply = AnswerMatchInvite.Reply()
      reply.answer = answer.answer
      return .success(reply)
    case let get as GetContext:
      var info = ContextInfo()
      info.context = get.context
      info.players = [FakeClient.me, FakeClient.friend].map { id in
        var player = ContextPlayer()
        (player.player, player.state) = (id, .active)
        return player
      }
      var details = ContextDetails()
      (details.matchNumber, details.isMatchRunning) = (3, true)
      info.details = details
      return .success(info)
    default: return turnReply(to: operation)
    }
  }
}
