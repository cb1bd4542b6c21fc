import Operations
import TestKit
import Wire

extension VisibilityLine {
  /// Whether a match of the two was under way when the block came.
  private static func playsOn(_ viewer: Viewer, _ place: Place) -> Bool {
    viewer == .blocked && place == .pair
  }

  /// A call of a player in the match: whoever was in it hears that it is over.
  private static func seated<O: Operation>(
    _ type: O.Type, _ set: @escaping @Sendable (inout O, VisibilityTarget, Viewer) -> Void
  ) -> VisibilityLine {
    context(
      type, invited: .unseen, member: .unseen, spectator: .unseen,
      but: { viewer, place in
        if playsOn(viewer, place) { return .refused(.notAllowed) }
        let wasIn = [.left, .removed].contains(viewer) && ![.pair, .solo].contains(place)
        return wasIn ? .refused(.matchEnded) : nil
      }, set)
  }

  static let matches: [VisibilityLine] = [
    context(
      JoinMatch.self, but: { playsOn($0, $1) ? .answered : nil },
      { operation, target, viewer in
        (operation.context, operation.seat) = (target.context, viewer.rawValue)
      }),
    context(
      JoinMatch.self, "of their own", but: { playsOn($0, $1) ? .answered : nil },
      { operation, target, viewer in
        (operation.context, operation.seat) = (target.context, viewer.rawValue)
        (operation.startsNew, operation.players) = (true, [ben])
      }),
    context(
      LeaveMatch.self, invited: .answered, member: .answered,
      but: { playsOn($0, $1) ? .answered : nil },
      { operation, target, viewer in
        (operation.context, operation.seat) = (target.context, viewer.rawValue)
      }),
    context(AddMatchPlayers.self) { operation, target, viewer in
      (operation.context, operation.players) = (target.context, [viewer.player])
    },
    seated(SendMatchData.self) { operation, target, _ in
      (operation.context, operation.seat) = (target.context, ann.low)
      operation.incarnation = target.incarnation
      operation.payload = VisibilityScene.bytes("x")
    },
    seated(AcknowledgeMatchData.self) { operation, target, _ in
      (operation.context, operation.seat) = (target.context, ben.low)
      operation.incarnation = target.incarnation
      operation.receipts = [MatchReceipt(place: 0, seat: ann.low, through: 1)]
    },
    seated(ChooseMatchHost.self) { operation, target, _ in
      (operation.context, operation.seat) = (target.context, ann.low)
      operation.incarnation = target.incarnation
    },
  ]

  static let matchmaking: [VisibilityLine] = [
    own(DescribeQueue.self) { operation, _ in operation.playerGroup = "league" },
    own(QueueActivity.self) { operation, _ in operation.playerGroup = "league" },
    own(ListTickets.self),
    own(ListMatchInvites.self),
    own(FindMatch.self) { operation, _ in
      (operation.playerGroup, operation.criteria) = ("league", MatchCriteria(16, 16))
    },
    context(
      FindMatch.self, "to fill somebody's match", invited: .unseen,
      member: .refused(.notFound)
    ) { operation, target, _ in
      (operation.playerGroup, operation.party) = ("league", target.context)
      (operation.match, operation.members) = (1, [ben])
    },
    line(CancelTicket.self, expected: { _, _ in .unseen }) { operation, target, _ in
      (operation.playerGroup, operation.ticket) = ("league", target.ticket)
    },
    line(
      InvitePlayers.self,
      expected: { viewer, _ in
        // Who is blocked waits for an answer that does not come.
        [.stranger, .blocking, .elsewhere].contains(viewer) ? .unseen : .answered
      }, { operation, target, _ in operation.recipients = [target.player] }),
    context(
      InvitePlayers.self, "of somebody's context", invited: .unseen, member: .answered
    ) { operation, target, _ in
      (operation.recipients, operation.party) = ([ben], target.context)
    },
    line(AnswerMatchInvite.self, expected: { _, _ in .unseen }) { operation, target, _ in
      (operation.inviter, operation.invite) = (target.player, target.invite)
      operation.answer = .accepted
    },
    line(CancelMatchInvite.self, expected: { _, _ in .answered }) { operation, target, _ in
      operation.invite = target.invite
    },
  ]
}
