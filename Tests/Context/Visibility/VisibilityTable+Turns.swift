import Operations
import TestKit
import Wire

extension VisibilityLine {
  /// A call about the game in a context.
  private static func game<O: Operation>(
    _ type: O.Type, _ what: String = "", invited: Expectation = .refused(.notAllowed),
    member: Expectation = .refused(.notAllowed), spectator: Expectation? = nil,
    _ set: @escaping @Sendable (inout O, VisibilityTarget, Viewer) -> Void
  ) -> VisibilityLine {
    context(
      type, what, invited: invited, member: member,
      // Where there are no spectators, who would watch is a member like the others.
      but: { viewer, place in
        viewer == .spectator && [.watchedGroup, .askedGroup].contains(place) ? spectator : nil
      }, set)
  }

  static let turns: [VisibilityLine] = [
    own(ListTurnGames.self),
    own(ListTurnGames.self, "of all") { operation, _ in operation.filter = .all },
    game(StartTurnGame.self, member: .refused(.conflict)) { operation, target, viewer in
      (operation.context, operation.players) = (target.context, [viewer.player, ben])
    },
    context(
      AnswerTurnGame.self,
      // There is a seat that members may take.
      but: { viewer, place in
        let isOpen = [.watchedGroup, .askedGroup].contains(place)
        return isOpen && [.member, .spectator].contains(viewer) ? .answered : nil
      }
    ) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.accept = true
    },
    game(AnswerTurnGame.self, "to decline") { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(MakeMove.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.payload = VisibilityScene.bytes("x")
    },
    game(SaveTurnState.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(QuitTurnGame.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(EndTurnGame.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(ProposeTurnChange.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.kind = .pause
    },
    game(AnswerTurnProposal.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      (operation.proposal, operation.accept) = (1, true)
    },
    game(ResumeTurnGame.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(SealMove.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.round = 1
    },
    game(SetConditionalMoves.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    context(
      SpectateTurnGame.self, member: .answered,
      but: { viewer, place in
        place == .sealedGroup && Viewer.inside.contains(viewer) ? .refused(.notAllowed) : nil
      },
      { operation, target, _ in
        (operation.context, operation.number) = (target.context, target.number)
      }),
    game(ForkTurnGame.self, spectator: .answered) { operation, target, viewer in
      (operation.context, operation.number) = (target.context, target.number)
      let others = [ann, ben, Viewer.member.player, Viewer.invited.player]
      operation.players = [viewer.player] + others.filter { $0 != viewer.player }
    },
    game(
      ReadTurnGame.self, invited: .answered, member: .answered, spectator: .answered
    ) { operation, target, _ in operation.context = target.context },
    game(ReadMoves.self, spectator: .answered) { operation, target, _ in
      operation.context = target.context
    },
    game(ReadTurnState.self, spectator: .answered) { operation, target, _ in
      operation.context = target.context
    },
  ]

  static let exchanges: [VisibilityLine] = [
    game(OpenTurnExchange.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.players = [ben]
    },
    game(AnswerTurnExchange.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.exchange = target.exchange
    },
    game(CancelTurnExchange.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.exchange = target.exchange
    },
    game(ReadTurnExchange.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.exchange = target.exchange
    },
    game(RemindPlayers.self) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.players = [ben]
    },
  ]
}
