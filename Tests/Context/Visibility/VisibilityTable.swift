import Domain
import Operations
import TestKit
import Wire

/// One call, and what it comes to for each viewer of each place.
struct VisibilityLine: Sendable, CustomStringConvertible {
  typealias Expected = @Sendable (Viewer, Place) -> Expectation

  var opcode: Opcode
  var description: String
  var make: @Sendable (ListeningWorld, VisibilityTarget, Viewer) throws -> Void
  /// Whether the call is about a context, or about a player.
  var isAboutContext: Bool
  var expected: Expected

  /// The call in words of its own, made by every viewer.
  static func line<O: Operation>(
    _ type: O.Type, _ what: String = "", isAboutContext: Bool = false,
    expected: @escaping Expected,
    _ set: @escaping @Sendable (inout O, VisibilityTarget, Viewer) -> Void
  ) -> VisibilityLine {
    VisibilityLine(
      opcode: O.opcode, description: what.isEmpty ? O.name : "\(O.name) \(what)",
      make: { world, target, viewer in
        var operation = O()
        set(&operation, target, viewer)
        try world.ask(operation, as: viewer.player, in: viewer.game)
      }, isAboutContext: isAboutContext, expected: expected)
  }

  /// A call about a context: whoever is not in it sees nothing.
  static func context<O: Operation>(
    _ type: O.Type, _ what: String = "", invited: Expectation = .refused(.notAllowed),
    member: Expectation = .refused(.notAllowed), spectator: Expectation? = nil,
    seated: Expectation? = nil,
    but expected: @escaping @Sendable (Viewer, Place) -> Expectation? = { _, _ in nil },
    _ set: @escaping @Sendable (inout O, VisibilityTarget, Viewer) -> Void
  ) -> VisibilityLine {
    line(
      type, what, isAboutContext: true,
      expected: { viewer, place in
        if let other = expected(viewer, place) { return other }
        if place == .closedGroup { return .unseen }
        return switch viewer {
        case .invited: invited
        case .member: member
        case .spectator: spectator ?? member
        case .seated: seated ?? member
        default: .unseen
        }
      }, set)
  }

  /// A call about the caller alone.
  static func own<O: Operation>(
    _ type: O.Type, _ what: String = "",
    _ set: @escaping @Sendable (inout O, Viewer) -> Void = { _, _ in }
  ) -> VisibilityLine {
    line(type, what, expected: { _, _ in .answered }) { operation, _, viewer in
      set(&operation, viewer)
    }
  }

  static let all: [VisibilityLine] = contexts + groups + turns + exchanges + matches + matchmaking
}
