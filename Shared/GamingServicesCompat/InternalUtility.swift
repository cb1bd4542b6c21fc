/// Finds the window over which a dialog is shown. A dialog here is shown by the game's presenter,
/// so nothing is asked of it.
public protocol WindowFinding {}

public typealias _WindowFinding = WindowFinding

/// What games pass as `windowFinder`.
public final class InternalUtility: WindowFinding, Sendable {
  public static let shared = InternalUtility()
  private init() {}
}
