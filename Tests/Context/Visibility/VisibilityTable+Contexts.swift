import Operations
import TestKit
import Wire

extension VisibilityLine {
  static let contexts: [VisibilityLine] = [
    own(CreateSoloContext.self),
    own(ListContexts.self),
    own(CurrentContext.self),
    own(ChooseContexts.self),
    own(SuggestContexts.self),
    line(
      CreatePairContext.self,
      expected: { viewer, _ in
        switch viewer {
        case .stranger, .blocked, .blocking, .apart: .unseen
        case .elsewhere: .refused(.invalidArgument)
        default: .answered
        }
      }, { operation, target, _ in operation.player = target.player }),
    // What becomes of the owner is told in the outcomes: see `outcomes`.
    line(CreateGroupContext.self, expected: { _, _ in .answered }) { operation, target, _ in
      operation.players = [target.player]
    },
    context(GetContext.self, invited: .answered, member: .answered) { operation, target, _ in
      operation.context = target.context
    },
    context(SwitchContext.self, invited: .answered, member: .answered) { operation, target, _ in
      operation.context = target.context
    },
    context(LeaveContext.self, invited: .answered, member: .answered) { operation, target, _ in
      operation.context = target.context
    },
  ]

  static let groups: [VisibilityLine] = [
    context(
      JoinContext.self, invited: .answered, member: .answered,
      // Anybody may ask to be let in, but for who was removed or is kept apart.
      but: { viewer, place in
        place == .askedGroup && [.stranger, .left].contains(viewer) ? .answered : nil
      },
      { operation, target, _ in operation.context = target.context }),
    context(
      JoinContext.self, "with a guessed link", invited: .answered, member: .answered,
      but: { viewer, place in
        place == .askedGroup && [.stranger, .left].contains(viewer) ? .answered : nil
      },
      { operation, target, _ in
        (operation.context, operation.link) = (target.context, .sample(7))
      }),
    context(
      InviteToContext.self, member: .answered,
      but: { viewer, place in
        place == .askedGroup && Viewer.inside.contains(viewer) ? .refused(.notAllowed) : nil
      },
      { operation, target, _ in
        (operation.context, operation.players) = (target.context, [.sample(51)])
      }),
    context(AnswerContextRequest.self) { operation, target, _ in
      (operation.context, operation.player, operation.accept) = (target.context, .sample(50), true)
    },
    context(ChangeContextRole.self) { operation, target, _ in
      (operation.context, operation.player, operation.role) = (target.context, ben, .moderator)
    },
    context(ChangeContextSettings.self) { operation, target, _ in
      (operation.context, operation.renewsLink) = (target.context, true)
    },
    context(RemoveFromContext.self) { operation, target, _ in
      (operation.context, operation.player) = (target.context, ben)
    },
    context(CloseContext.self) { operation, target, _ in operation.context = target.context },
    context(
      ReopenContext.self, invited: .refused(.conflict), member: .refused(.conflict)
    ) { operation, target, _ in operation.context = target.context },
  ]
}
