/// What games pass as `windowFinder`. Nothing is drawn here, so no window is looked for.
public final class InternalUtility: Sendable {
  public static let shared = InternalUtility()
  private init() {}
}
