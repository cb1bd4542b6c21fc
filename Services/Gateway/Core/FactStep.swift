public import Wire

/// Which fact of a call's needs a gateway fetches next. A gateway asks for one at a time: few calls
/// need more than one, and a call that is refused early costs nobody more than that.
public enum FactStep: CaseIterable, Sendable {
  case friends
  case achievementRules
  case achievements

  /// Nil when nothing that this gateway knows is needed.
  public init?(first needs: Needs) {
    guard let step = Self.allCases.first(where: { needs.contains($0.need) }) else { return nil }
    self = step
  }

  public var need: Needs {
    switch self {
    case .friends: .friends
    case .achievementRules: .achievementRules
    case .achievements: .achievements
    }
  }
}
