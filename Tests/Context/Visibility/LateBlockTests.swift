import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// A block holds from when it was acknowledged: also for what somebody has begun with the blocker
/// before, and what has not arrived.
@Suite struct LateBlockTests {
  struct Beginning: CustomStringConvertible, Sendable {
    var description: String
    /// What `ben` would be told.
    var event: any Event.Type
    var begin: @Sendable (VisibilityScene) throws -> Void
  }

  static let beginnings: [Beginning] = [
    Beginning(description: "a pair's context", event: ContextInvitation.self) { scene in
      try scene.ask(CreatePairContext(), ann) { $0.player = ben }
    },
    Beginning(description: "a group", event: ContextInvitation.self) { scene in
      try scene.ask(CreateGroupContext(), ann) { $0.players = [ben] }
    },
    Beginning(description: "an invitation to a match", event: MatchInvitation.self) { scene in
      try scene.ask(InvitePlayers(), ann) {
        ($0.recipients, $0.criteria) = ([ben], MatchCriteria(2, 4))
      }
    },
    Beginning(description: "a game", event: TurnGameInvitation.self) { scene in
      let context = try scene.matched([ann, ben])
      try scene.ask(StartTurnGame(), ann) { ($0.context, $0.players) = (context, [ann, ben]) }
    },
    Beginning(description: "an exchange", event: TurnExchangeChanged.self) { scene in
      try scene.ask(OpenTurnExchange(), ann) {
        ($0.context, $0.number, $0.players) = (scene.target(for: .member).context, 1, [ben])
      }
    },
    Beginning(description: "a reminder", event: TurnReminder.self) { scene in
      try scene.ask(RemindPlayers(), ann) {
        ($0.context, $0.number, $0.players) = (scene.target(for: .member).context, 1, [ben])
      }
    },
  ]

  @Test(
    "2.9 what a blocked player has begun does not arrive after the block", arguments: beginnings)
  func underWay(beginning: Beginning) throws {
    for isBlocked in [false, true] {
      let scene = try VisibilityScene(.watchedGroup)
      scene.world.book.friends?.insert([ann, ben])
      scene.world.interruption = {
        if isBlocked { try scene.world.block(ann, by: ben) }
      }
      try beginning.begin(scene)
      let isTold = scene.world.told.contains {
        $0.ear.player == ben && $0.what == "event \(beginning.event.opcode)"
      }
      #expect(isTold != isBlocked, "told: \(isTold), blocked: \(isBlocked)")
    }
  }

  @Test(
    "2.9 recent players are heard as their player reads them: none behind a block",
    arguments: [[:], [ann: [ben]], [ben: [ann]]] as [[PlayerID: Set<PlayerID>]])
  func recentPlayers(blocks: [PlayerID: Set<PlayerID>]) throws {
    var news = RecordRecentPlayers()
    (news.player, news.others, news.time) = (ann, [ben, dan], 1)
    let list = try RecentPlayersList.bytes(after: news, in: "game", blocks: blocks)
    let reply = try ListRecentPlayers.Reply(decoding: list)
    #expect(reply.players.map(\.profile.player) == (blocks.isEmpty ? [ben, dan] : [dan]))
  }
}
