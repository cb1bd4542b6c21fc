import Operations
import TestKit
import Wire

extension VisibilityLine {
  /// A call about the game in a context.
  private static func game<O: Operation>(
    _ type: O.Type, _ what: String = "", invited: Expectation = .refused(.notAllowed),
    member: Expectation = .refused(.notAllowed), spectator: Expectation? = nil,
    seated: Expectation? = nil,
    but expected: @escaping @Sendable (Viewer, Place) -> Expectation? = { _, _ in nil },
    _ set: @escaping @Sendable (inout O, VisibilityTarget, Viewer) -> Void
  ) -> VisibilityLine {
    context(
      type, what, invited: invited, member: member, seated: seated,
      // Where there are no spectators, who would watch is a member like the others.
      but: { viewer, place in
        expected(viewer, place) ?? (viewer == .spectator && place.isWatched ? spectator : nil)
      }, set)
  }

  static let turns: [VisibilityLine] = [
    own(ListTurnGames.self),
    own(ListTurnGames.self, "of all") { operation, _ in operation.filter = .all },
    game(StartTurnGame.self, member: .refused(.conflict)) { operation, target, viewer in
      (operation.context, operation.players) = (target.context, [viewer.player, ben])
    },
    context(
      AnswerTurnGame.self, seated: .answered,
      // There is a seat that members may take.
      but: { viewer, place in
        place.isWatched && [.member, .spectator].contains(viewer) ? .answered : nil
      }
    ) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.accept = true
    },
    game(AnswerTurnGame.self, "to decline") { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(MakeMove.self, seated: .refused(.conflict)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.payload = VisibilityScene.bytes("x")
    },
    game(SaveTurnState.self, seated: .refused(.conflict)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(QuitTurnGame.self, seated: .answered) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(EndTurnGame.self, seated: .refused(.conflict)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(ProposeTurnChange.self, seated: .answered) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.kind = .pause
    },
    game(AnswerTurnProposal.self, seated: .refused(.notFound)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      (operation.proposal, operation.accept) = (1, true)
    },
    game(ResumeTurnGame.self, seated: .answered) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    game(
      SealMove.self, but: { $0 == .seated && $1.isSealed ? .answered : nil }
    ) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.round = 1
    },
    game(SetConditionalMoves.self, seated: .refused(.conflict)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
    },
    context(
      SpectateTurnGame.self, member: .answered, seated: .refused(.notAllowed),
      but: { viewer, place in
        place == .sealedGroup && Viewer.inside.contains(viewer) ? .refused(.notAllowed) : nil
      },
      { operation, target, _ in
        (operation.context, operation.number) = (target.context, target.number)
      }),
    game(
      // A fork has a player for each seat, and the group without spectators has fewer.
      ForkTurnGame.self, spectator: .answered, seated: .answered,
      but: { $0 == .seated && $1 == .sealedGroup ? .refused(.invalidArgument) : nil }
    ) { operation, target, viewer in
      (operation.context, operation.number) = (target.context, target.number)
      let inside = [Viewer.seated, .member, .invited, .spectator].map(\.player)
      let others = ([ann, ben] + inside).filter { $0 != viewer.player }
      operation.players = [viewer.player] + others.prefix(5)
    },
    game(
      ReadTurnGame.self, invited: .answered, member: .answered, spectator: .answered,
      seated: .answered
    ) { operation, target, _ in operation.context = target.context },
    game(ReadMoves.self, spectator: .answered, seated: .answered) { operation, target, _ in
      operation.context = target.context
    },
    game(ReadTurnState.self, spectator: .answered, seated: .answered) { operation, target, _ in
      operation.context = target.context
    },
  ]

  static let exchanges: [VisibilityLine] = [
    game(OpenTurnExchange.self, seated: .answered) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.players = [ben]
    },
    game(AnswerTurnExchange.self, seated: .refused(.notFound)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.exchange = target.exchange
    },
    game(CancelTurnExchange.self, seated: .refused(.notFound)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.exchange = target.exchange
    },
    game(ReadTurnExchange.self, seated: .refused(.notFound)) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.exchange = target.exchange
    },
    game(RemindPlayers.self, seated: .answered) { operation, target, _ in
      (operation.context, operation.number) = (target.context, target.number)
      operation.players = [ben]
    },
  ]
}
